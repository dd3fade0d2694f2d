// support/fake_chroma.h - a Chroma server for tests, as far as this program asks one: rows in
// memory, exact search, and trouble at will. What it answers is what chromadb 3.0.3 does
// (tests/chroma speaks to that one).
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "text/json.h"
#include "support/http_test_server.h"

namespace codexmem::testing {

class FakeChroma {
 public:
  enum class State { kUp, kDown, kSilent };

  struct Row {
    std::vector<double> vector;
    Json metadata;
    std::string document;
  };

  std::string url() const { return server_.url(); }
  void set_state(State state) { state_ = state; }
  int requests() const { return server_.requests(); }

  /// The rows of the collection `name` by id; none when it is not there.
  std::map<std::string, Row> rows(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = collections_.find(name);
    return found == collections_.end() ? std::map<std::string, Row>() : found->second.rows;
  }
  std::vector<std::string> names() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> all;
    for (const auto& [name, collection] : collections_) all.push_back(name);
    return all;
  }

  /// A row as another program would put it.
  void put(const std::string& name, const std::string& id, Row row) {
    const std::lock_guard lock(mutex_);
    collections_[name].rows[id] = std::move(row);
  }

  /// A collection as another program would make it.
  void make(const std::string& name, Json metadata, bool has_rows) {
    const std::lock_guard lock(mutex_);
    Collection& collection = collections_[name];
    collection.uuid = "uuid-" + std::to_string(++made_);
    collection.metadata = std::move(metadata);
    if (has_rows) collection.rows["theirs"] = {{1, 0}, Json::object(), "theirs"};
  }

  void wipe() {
    const std::lock_guard lock(mutex_);
    collections_.clear();
  }

  /// The last condition that a question had; null: none.
  Json last_where() {
    const std::lock_guard lock(mutex_);
    return last_where_;
  }

  /// Waits until the collection `name` has `count` rows; false after ten seconds.
  bool wait_for_rows(const std::string& name, std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10), [&] {
      const auto found = collections_.find(name);
      return found != collections_.end() && found->second.rows.size() == count;
    });
  }

 private:
  struct Collection {
    std::string uuid;
    Json metadata;
    std::map<std::string, Row> rows;
  };

  static bool meets(const Json& metadata, const Json& where) {
    for (const auto& [key, wanted] : where.items()) {
      if (key == "$and") {
        for (const Json& one : wanted) {
          if (!meets(metadata, one)) return false;
        }
        continue;
      }
      const auto at = metadata.find(key);
      if (at == metadata.end()) return false;
      if (!wanted.is_object()) {
        if (*at != wanted) return false;
      } else if (const auto in = wanted.find("$in"); in != wanted.end()) {
        if (std::find(in->begin(), in->end(), *at) == in->end()) return false;
      } else if (const auto least = wanted.find("$gte"); least != wanted.end()) {
        if (at->get<double>() < least->get<double>()) return false;
      } else if (const auto most = wanted.find("$lte"); most != wanted.end()) {
        if (at->get<double>() > most->get<double>()) return false;
      }
    }
    return true;
  }

  static bool holds(const std::string& document, const Json& where) {
    if (where.is_null()) return true;
    if (where.contains("$and")) {
      return std::all_of(where["$and"].begin(), where["$and"].end(),
                         [&](const Json& one) { return holds(document, one); });
    }
    if (where.contains("$or")) {
      return std::any_of(where["$or"].begin(), where["$or"].end(),
                         [&](const Json& one) { return holds(document, one); });
    }
    return document.find(where["$contains"].get<std::string>()) != std::string::npos;
  }

  static bool is_meant(const std::string& id, const Row& row, const Json& body) {
    const auto wanted = body.find("ids");
    if (wanted != body.end() && std::find(wanted->begin(), wanted->end(), id) == wanted->end()) {
      return false;
    }
    if (body.contains("where") && !meets(row.metadata, body["where"])) return false;
    return holds(row.document, body.value("where_document", Json()));
  }

  // Of `lists` those that a body's `include` names, each in a list of its own where a vector was
  // asked about.
  static Json included(const Json& body, const std::map<std::string, Json>& lists, bool in_a_list) {
    Json answer;
    for (const auto& [name, list] : lists) {
      const auto& names = body["include"];
      const bool is_wanted =
          name == "ids" || std::find(names.begin(), names.end(), name) != names.end();
      answer[name] = !is_wanted ? Json() : in_a_list ? Json::array({list}) : list;
    }
    return answer;
  }

  static Json listed(const Collection& collection, const Json& body) {
    Json ids = Json::array(), metadatas = Json::array(), documents = Json::array();
    Json vectors = Json::array();
    std::size_t passed = 0;
    for (const auto& [id, row] : collection.rows) {
      if (!is_meant(id, row, body)) continue;
      if (passed++ < body.value("offset", std::size_t{0})) continue;
      if (ids.size() == body.value("limit", std::size_t{1000})) break;
      ids.push_back(id);
      metadatas.push_back(row.metadata);
      documents.push_back(row.document);
      vectors.push_back(row.vector);
    }
    return included(
        body,
        {{"ids", ids}, {"metadatas", metadatas}, {"documents", documents}, {"embeddings", vectors}},
        false);
  }

  static double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double dot = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      dot += a[i] * b[i];
      aa += a[i] * a[i];
      bb += b[i] * b[i];
    }
    return aa > 0 && bb > 0 ? 1 - dot / std::sqrt(aa * bb) : 1;
  }

  static TestReply error(int status, const char* name) {
    return reply(status, Json{{"error", name}, {"message", name}}.dump());
  }

  Json description(const std::string& name, const Collection& collection) const {
    return {{"id", collection.uuid},
            {"name", name},
            {"configuration_json", {{"hnsw", {{"space", "cosine"}}}}},
            {"metadata", collection.metadata},
            {"dimension", collection.rows.empty() ? Json() : Json(128)}};
  }

  TestReply answer(const TestRequest& request) {
    if (state_ == State::kDown) return reply(503, "");
    if (state_ == State::kSilent) return {"", true};
    const std::string method = request.head.substr(0, request.head.find(' '));
    std::string path = request.head.substr(method.size() + 1);
    path = path.substr(0, path.find(' '));
    if (path == "/api/v2/heartbeat") return reply(200, R"({"nanosecond heartbeat":1})");
    const std::string kBase =
        "/api/v2/tenants/default_tenant/databases/default_database/collections";
    if (!path.starts_with(kBase)) return error(404, "NotFoundError");
    path = path.substr(kBase.size());
    const Json body = request.body.empty() ? Json() : Json::parse(request.body);
    const std::lock_guard lock(mutex_);
    if (path.empty()) {
      const auto name = body["name"].get<std::string>();
      if (!collections_.contains(name)) {
        collections_[name].uuid = "uuid-" + std::to_string(++made_);
        collections_[name].metadata = body["metadata"];
      }
      return reply(200, description(name, collections_[name]).dump());
    }
    const std::size_t slash = path.find('/', 1);
    const std::string of = path.substr(1, slash == std::string::npos ? slash : slash - 1);
    const std::string what = slash == std::string::npos ? "" : path.substr(slash + 1);
    if (what.empty() && method == "DELETE") {
      if (collections_.erase(of) == 0) return error(404, "NotFoundError");
      return reply(200, "{}");
    }
    if (what.empty() && method == "GET") {
      const auto named = collections_.find(of);
      return named == collections_.end() ? error(404, "NotFoundError")
                                         : reply(200, description(of, named->second).dump());
    }
    for (auto& [name, collection] : collections_) {
      if (collection.uuid != of) continue;
      if (what.empty()) {
        collection.metadata = body["new_metadata"];
        return reply(200, "{}");
      }
      return work(collection, what, body);
    }
    return error(404, "NotFoundError");
  }

  TestReply work(Collection& collection, const std::string& what, const Json& body) {
    if (what == "count") return reply(200, std::to_string(collection.rows.size()));
    if (what == "upsert") {
      for (std::size_t i = 0; i < body["ids"].size(); ++i) {
        collection.rows[body["ids"][i]] = {body["embeddings"][i].get<std::vector<double>>(),
                                           body["metadatas"][i],
                                           body["documents"][i].get<std::string>()};
      }
      changed_.notify_all();
      return reply(200, "{}");
    }
    if (what == "delete") {
      if (body.contains("ids")) {
        for (const Json& id : body["ids"]) collection.rows.erase(id.get<std::string>());
      } else {
        std::erase_if(collection.rows,
                      [&](const auto& row) { return meets(row.second.metadata, body["where"]); });
      }
      changed_.notify_all();
      return reply(200, "{}");
    }
    last_where_ = body.value("where", Json());
    if (what == "get") return reply(200, listed(collection, body).dump());
    std::vector<std::pair<double, std::string>> found;
    const auto vector = body["query_embeddings"][0].get<std::vector<double>>();
    for (const auto& [id, row] : collection.rows) {
      if (!is_meant(id, row, body)) continue;
      found.emplace_back(distance(vector, row.vector), id);
    }
    std::sort(found.begin(), found.end());
    if (found.size() > body["n_results"].get<std::size_t>()) {
      found.resize(body["n_results"].get<std::size_t>());
    }
    Json ids = Json::array(), distances = Json::array(), metadatas = Json::array();
    Json documents = Json::array();
    for (const auto& [far, id] : found) {
      ids.push_back(id);
      distances.push_back(far);
      metadatas.push_back(collection.rows[id].metadata);
      documents.push_back(collection.rows[id].document);
    }
    const Json answer = included(body,
                                 {{"ids", ids},
                                  {"distances", distances},
                                  {"metadatas", metadatas},
                                  {"documents", documents}},
                                 true);
    return reply(200, answer.dump());
  }

  std::atomic<State> state_ = State::kUp;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<std::string, Collection> collections_;
  int made_ = 0;
  Json last_where_;
  HttpTestServer server_{[this](const TestRequest& request) { return answer(request); }};  // last
};

}  // namespace codexmem::testing

#include "embed/static_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "base/crc32.h"
#include "text/json.h"
#include "text/words.h"
#include "embed/vector_math.h"

namespace codexmem::embed {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::shared_ptr<const StaticModel> load_model() {
  auto model = StaticModel::load(CODEXMEM_SOURCE_DIR "/models/text-code-static-128d.cxm");
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().message());
  return std::move(model).value();
}

std::vector<float> lone_document(const StaticModel& model, std::string_view text) {
  WordBagCollector collector(model);
  collector.add(text);
  std::vector<float> vector(model.dimension());
  model.document_vector(collector.take(), vector);
  return vector;
}

void set_u32(std::string* bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(bytes->data() + at, &value, sizeof value);
}

void seal(std::string* bytes) { set_u32(bytes, 24, crc32(std::string_view(*bytes).substr(32))); }

// A model of two dimensions that knows "ab" and "c".
std::string tiny_model() {
  std::string bytes = "CXM1";
  bytes.resize(32);
  set_u32(&bytes, 4, 1);
  set_u32(&bytes, 8, 2);
  set_u32(&bytes, 12, 2);
  set_u32(&bytes, 16, 3);
  for (const std::uint32_t offset : {0U, 2U, 3U}) {
    bytes.append(4, '\0');
    set_u32(&bytes, bytes.size() - 4, offset);
  }
  bytes += "abc";
  bytes.append(1, '\0');
  for (const float scale : {1.0F, 2.0F, 0.5F, 0.25F}) {
    bytes.append(reinterpret_cast<const char*>(&scale), sizeof scale);
  }
  bytes += {3, 4, 0, 8};
  seal(&bytes);
  return bytes;
}

TEST(StaticModel, AgreesWithTheTrainingProgram) {
  constexpr double kTolerance = 0.0002;
  const auto model = load_model();
  std::map<int, std::vector<float>> queries;
  std::map<int, std::vector<float>> documents;
  std::size_t cosines = 0;
  std::ifstream file(CODEXMEM_SOURCE_DIR "/testdata/embed/vectors-test-128d.jsonl");
  for (std::string line; std::getline(file, line);) {
    const Json row = Json::parse(line);
    if (row.contains("cos")) {
      const float cosine = inner_product(queries.at(row["query"]), documents.at(row["doc"]));
      EXPECT_NEAR(cosine, row["cos"].get<double>(), kTolerance) << line;
      ++cosines;
      continue;
    }
    const int id = row["id"];
    const auto text = row["text"].get<std::string>();
    int known = 0;
    for_each_word(text, [&](const Word& word) { known += model->find_word(word.text) ? 1 : 0; });
    EXPECT_EQ(known, row["known"].get<int>()) << text;
    queries[id] = model->query_vector(text);
    documents[id] = lone_document(*model, text);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_NEAR(queries[id][i], row["query8"][i].get<double>(), kTolerance) << text;
      EXPECT_NEAR(documents[id][i], row["doc8"][i].get<double>(), kTolerance) << text;
    }
  }
  EXPECT_EQ(queries.size(), 30U);
  EXPECT_EQ(cosines, 240U);
}

TEST(StaticModel, IsBuiltIn) {
  auto built_in = StaticModel::built_in();
  ASSERT_TRUE(built_in.ok());
  const auto from_file = load_model();
  EXPECT_EQ((*built_in)->id(), from_file->id());
  EXPECT_EQ(StaticModel::built_in_id(), from_file->id());
  EXPECT_THAT((*built_in)->id(), StartsWith("text-code-static-128d-"));
  EXPECT_EQ((*built_in)->dimension(), 128U);
  EXPECT_EQ((*built_in)->word_count(), from_file->word_count());
}

TEST(StaticModel, FindsEveryWordOfItsTable) {
  const auto model = load_model();
  for (std::size_t i = 0; i < model->word_count(); ++i) {
    const auto id = static_cast<WordId>(i);
    ASSERT_EQ(model->find_word(model->word(id)), id);
  }
  EXPECT_EQ(model->find_word("zzqxv"), std::nullopt);
  EXPECT_EQ(model->find_word(""), std::nullopt);
}

TEST(StaticModel, AddsScaledRows) {
  const std::string bytes = tiny_model();
  auto model = StaticModel::from_bytes(bytes);
  ASSERT_TRUE(model.ok()) << model.error().message();
  // 1 x (3, 4) + 2 x 2 x (0, 8) = (3, 36)
  const std::vector<float> query = (*model)->query_vector("ab c C unknown");
  EXPECT_NEAR(query[0], 3 / std::hypot(3, 36), 1e-6);
  EXPECT_NEAR(query[1], 36 / std::hypot(3, 36), 1e-6);
}

TEST(StaticModel, WeightsDocumentWordsByCount) {
  const std::string bytes = tiny_model();
  const auto model = StaticModel::from_bytes(bytes).value();
  std::vector<float> vector(2);
  model->document_vector(WordBag{{0, 4}, {1, 1}}, vector);
  const double x = 2 * 0.5 * 3;  // sqrt(4)
  const double y = 2 * 0.5 * 4 + 0.25 * 8;
  EXPECT_NEAR(vector[0], x / std::hypot(x, y), 1e-6);
  EXPECT_NEAR(vector[1], y / std::hypot(x, y), 1e-6);
}

TEST(StaticModel, GivesTheSameBitsFromEveryThread) {
  const auto model = load_model();
  const std::string text = "class LRUCache { get(key) { return this.map.get(key) } } // evicts";
  const std::vector<float> want = lone_document(*model, text);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const std::vector<float> got = lone_document(*model, text);
        EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof(float)), 0);
      }
    });
  }
}

TEST(StaticModel, EmbedsTextsThatStandAlone) {
  const auto embedder = make_static_embedder(load_model());
  const std::vector<std::string_view> texts = {"password hashing and verification",
                                               "bcrypt.compare(password, user.passwordHash)",
                                               "zzqxv", "event loop timers"};
  const auto documents = embedder->embed_documents(texts);
  const auto query = embedder->embed_query("check a hashed password");
  ASSERT_TRUE(documents.ok() && query.ok());
  ASSERT_EQ(documents->size(), 4 * embedder->dimension());
  const auto score = [&](std::size_t i) {
    return inner_product(*query, std::span(*documents).subspan(i * 128, 128));
  };
  EXPECT_GT(score(0), 0.5);
  EXPECT_GT(score(1), 0.5);
  EXPECT_EQ(score(2), 0);
  EXPECT_LT(score(3), 0.2);
  const auto unknown = embedder->embed_query("zzqxv");
  EXPECT_THAT(*unknown, Each(0.0F));
}

TEST(StaticModelFile, DamageIsAnError) {
  const struct {
    const char* name;
    void (*damage)(std::string*);
    ErrorCode code;
    const char* message;
  } kCases[] = {
      {"empty", [](std::string* b) { b->clear(); }, ErrorCode::kCorrupt, "not a CXM1 file"},
      {"magic", [](std::string* b) { (*b)[3] = '2'; }, ErrorCode::kCorrupt, "not a CXM1 file"},
      {"version", [](std::string* b) { set_u32(b, 4, 2); }, ErrorCode::kUnsupported, "version 2"},
      {"no dimension", [](std::string* b) { set_u32(b, 8, 0); }, ErrorCode::kCorrupt, "dimension"},
      {"huge dimension", [](std::string* b) { set_u32(b, 8, 0xFFFFFFFF); }, ErrorCode::kCorrupt,
       "dimension"},
      {"no words", [](std::string* b) { set_u32(b, 12, 0); }, ErrorCode::kCorrupt, "words"},
      {"huge word count", [](std::string* b) { set_u32(b, 12, 0xFFFFFFFF); }, ErrorCode::kCorrupt,
       "words"},
      {"huge blob", [](std::string* b) { set_u32(b, 16, 0xFFFFFFFF); }, ErrorCode::kCorrupt,
       "wrong size"},
      {"cut", [](std::string* b) { b->pop_back(); }, ErrorCode::kCorrupt, "wrong size"},
      {"longer", [](std::string* b) { b->push_back('x'); }, ErrorCode::kCorrupt, "wrong size"},
      {"a changed row", [](std::string* b) { b->back() = 7; }, ErrorCode::kCorrupt, "checksum"},
      {"offsets descend", [](std::string* b) { set_u32(b, 36, 9), seal(b); }, ErrorCode::kCorrupt,
       "offsets"},
      {"offsets end early", [](std::string* b) { set_u32(b, 40, 2), seal(b); }, ErrorCode::kCorrupt,
       "offsets"},
      {"words descend", [](std::string* b) { (*b)[44] = 'x', seal(b); }, ErrorCode::kCorrupt,
       "words out of order"},
      {"scale is no number", [](std::string* b) { set_u32(b, 48, 0x7FC00000), seal(b); },
       ErrorCode::kCorrupt, "finite"},
  };
  ASSERT_TRUE(StaticModel::from_bytes(tiny_model()).ok());
  for (const auto& c : kCases) {
    std::string bytes = tiny_model();
    c.damage(&bytes);
    const auto model = StaticModel::from_bytes(bytes);
    ASSERT_FALSE(model.ok()) << c.name;
    EXPECT_EQ(model.error().code(), c.code) << c.name;
    EXPECT_THAT(model.error().message(), HasSubstr(c.message)) << c.name;
  }
}

TEST(StaticModelFile, EveryTruncationIsAnError) {
  const std::string bytes = tiny_model();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(StaticModel::from_bytes(std::string_view(bytes).substr(0, size)).ok()) << size;
  }
}

TEST(StaticModelFile, IsNamedInTheError) {
  const std::string path = ::testing::TempDir() + "/damaged.cxm";
  ASSERT_TRUE(replace_file(path, "CXM1").ok());
  const auto model = StaticModel::load(path);
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message(), HasSubstr("damaged.cxm"));
  EXPECT_EQ(StaticModel::load(path + ".none").error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace codexmem::embed

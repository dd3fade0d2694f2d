// The rows of a repository: every identifier of every file, with what all compilation units said of
// it together.
//
// A name with no target is unknown: in a branch that no unit took, in the body of a macro that
// nothing expands, in an argument that is only pasted or dropped. A name in a macro's body that
// means different things where the macro is used has role `macro`; one that several definitions of
// the repository could be linked to, and what fewer than half as many units say as something else,
// role `ambiguous`; one in a template that instantiations settle in different ways role
// `dependent`; constructors named by a use of their class role `construct`; the name of a
// constructor or destructor as a use of its class role `self`.
#include <algorithm>
#include <cstring>
#include <filesystem>

#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "facts.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
namespace json = llvm::json;

namespace {

struct Define {
  std::uint32_t begin, end, name;
  bool is_function;
};

class Printer {
 public:
  explicit Printer(Facts& facts)
      : facts_(facts), options_(options(facts.is_cpp)), names_(options_) {}

  void run() {
    list_files();
    for (auto& [place, d] :
         facts_.declarations)  // what nothing defines: its first declaration stands for it
      if (d.target.sort == Sort::kLinked && !facts_.linked.count(d.target.text)) {
        auto [it, is_new] = orphans_.try_emplace(d.target.text, place);
        if (!is_new && is_header(place) && !is_header(it->second)) it->second = place;
      }
    for (std::uint32_t i = 0; i < facts_.files.size(); i++) file(i);
    families();
    llvm::errs() << "units " << facts_.units << ", with errors " << facts_.errors;
    for (auto& [what, count] : counts_) llvm::errs() << "; " << what << " " << count;
    // Of the names in code that some unit compiled.
    unsigned long open = 0;
    for (const char* why : {"argument", "condition", "dependent", "macro", "unknown"})
      open += counts_[std::string("unknown: ") + why];
    unsigned long doubtful =
                      counts_["ambiguous"] + counts_["dependent"] + counts_["doubtful in macros"],
                  all = open + doubtful + counts_["known"];
    llvm::errs() << "; unknown rate " << llvm::format("%.4f", all ? double(open) / all : 0)
                 << ", doubtful " << llvm::format("%.4f", all ? double(doubtful) / all : 0) << "\n";
  }

 private:
  static LangOptions options(bool is_cpp) {
    LangOptions o;
    std::vector<std::string> includes;
    LangOptions::setLangDefaults(o, is_cpp ? Language::CXX : Language::C,
                                 llvm::Triple("x86_64-linux-gnu"), includes,
                                 is_cpp ? LangStandard::lang_gnucxx20 : LangStandard::lang_gnu11);
    return o;
  }

  void list_files() {
    namespace fs = std::filesystem;
    static const std::set<std::string> extensions = {".c",   ".h",  ".cc",  ".cpp", ".cxx",
                                                     ".hpp", ".hh", ".hxx", ".inc", ".inl",
                                                     ".def", ".m",  ".mm",  ".ipp", ".tpp"};
    for (fs::recursive_directory_iterator it(facts_.root), end; it != end; ++it) {
      if (it->path().filename() == ".git") it.disable_recursion_pending();
      if (it->is_regular_file() && !it->is_symlink() &&
          extensions.count(it->path().extension().string()))
        facts_.file(it->path().string());
    }
    for (auto& file : facts_.files) paths_.push_back(file.path);
  }

  bool is_header(Place place) const {
    std::string extension =
        std::filesystem::path(facts_.files[file_of(place)].path).extension().string();
    return extension == ".h" || extension == ".hpp" || extension == ".hh" || extension == ".hxx";
  }

  // Text positions
  // ------------------------------------------------------------------------------------------

  const std::vector<std::uint32_t>& lines(std::uint32_t file) {
    auto [it, is_new] = lines_.try_emplace(file);
    if (is_new) {
      it->second = {0};
      const std::string& text = facts_.files[file].text;
      for (std::uint32_t i = 0; i < text.size(); i++)
        if (text[i] == '\n') it->second.push_back(i + 1);
    }
    return it->second;
  }
  /// The first character of a token that begins behind `\\` at the end of a line.
  Place first_character(Place place) {
    const std::string& text = facts_.files[file_of(place)].text;
    std::uint32_t offset = offset_of(place);
    while (offset < text.size() && text[offset] == '\\') offset = text.find('\n', offset) + 1;
    return make_place(file_of(place), offset);
  }
  unsigned line(Place place) {
    place = first_character(place);
    auto& starts = lines(file_of(place));
    return std::upper_bound(starts.begin(), starts.end(), offset_of(place)) - starts.begin();
  }
  std::string at(Place place) {
    place = first_character(place);
    const File& file = facts_.files[file_of(place)];
    unsigned number = line(place), column = 1;
    std::uint32_t start = lines(file_of(place))[number - 1];
    if (number == 1 && file.text.compare(0, 3, "\xef\xbb\xbf") == 0) start = 3;
    for (std::uint32_t i = start; i < offset_of(place); i++) {
      unsigned char c = file.text[i];
      column += c < 0x80 || c >= 0xf0 ? 1 + (c >= 0xf0) : c >= 0xc0;
    }
    return file.path + ":" + std::to_string(number) + ":" + std::to_string(column);
  }

  // Targets
  // -------------------------------------------------------------------------------------------------

  std::set<Place> definitions(const Target& target) {
    if (target.sort == Sort::kPlace || target.sort == Sort::kLocal)
      return {facts_.find(target.place)};
    if (target.sort != Sort::kLinked) return {};
    auto it = facts_.linked.find(target.text);
    if (it != facts_.linked.end()) return it->second;
    auto orphan = orphans_.find(target.text);
    return orphan == orphans_.end() ? std::set<Place>() : std::set<Place>{orphan->second};
  }

  void print(json::Object row) { llvm::outs() << json::Value(std::move(row)) << "\n"; }

  /// The #define around a place, or null.
  const Define* define_around(std::uint32_t file, std::uint32_t offset) {
    auto& all = defines_[file];
    auto it = std::upper_bound(all.begin(), all.end(), offset,
                               [](std::uint32_t o, const Define& d) { return o < d.begin; });
    return it != all.begin() && offset < std::prev(it)->end ? &*std::prev(it) : nullptr;
  }

  void declaration(Place place, const Declaration& d, bool is_in_macro) {
    if (d.name.empty()) return;
    std::set<Place> all = definitions(d.target);
    Place own = facts_.find(place);
    bool is_own = d.is_definition || d.scope == "local" ? own == place : all.count(place);
    if (is_own) {
      json::Object row{{"row", "def"},     {"at", at(place)},       {"name", d.name},
                       {"qname", d.qname}, {"kind", d.kind},        {"detail", d.detail},
                       {"scope", d.scope}, {"start", line(d.start)}};
      if ((!d.is_definition && d.kind != "namespace") || is_in_macro) row["asked"] = false;
      print(std::move(row));
      counts_["definitions"] += d.scope != "local";
      return;
    }
    if (own != place) all = {own};
    for (Place of : all)
      print(json::Object{{"row", "decl"}, {"at", at(place)}, {"name", d.name}, {"of", at(of)}});
  }

  /// What a use means: what the code says, else what all instantiations say, else the only
  /// candidate.
  static const std::map<Target, std::pair<unsigned, unsigned>>& targets(const Use& use) {
    return !use.targets.empty() ? use.targets : !use.settled.empty() ? use.settled : use.likely;
  }

  void use(Place place, const std::string& name, const Use& use, const std::string& in,
           bool is_in_macro) {
    bool is_settled = use.targets.empty();
    std::set<Place> sure, linked, rare;
    std::string external;
    unsigned most = 0;
    for (auto& [_, seen] : targets(use)) most = std::max(most, seen.first);
    bool is_local = false;
    Place local = kNowhere;
    for (auto& [target, seen] : targets(use)) {
      if (target.sort == Sort::kLocal) {
        is_local = true;
        if (target.place != kNowhere) local = target.place;
      } else if (target.sort == Sort::kExternal)
        external = target.text;
      else {
        std::set<Place> found = definitions(target);
        (found.size() > 1                       ? linked
         : seen.first * 2 < most && !is_settled ? rare
                                                : sure)
            .insert(found.begin(), found.end());
        if (found.empty()) external = target.text;
      }
    }
    auto print_one = [&](const char* key, const std::string& value, const char* role) {
      json::Object row{{"row", "use"}, {"at", at(place)}, {"name", name}, {key, value}};
      if (!in.empty()) row["in"] = in;
      if (use.is_call) row["call"] = true;
      if (role) row["role"] = role;
      print(std::move(row));
    };
    unsigned meanings = sure.size() + rare.size() + is_local + !external.empty();
    bool is_doubtful = is_in_macro && (meanings > 1 || !linked.empty());
    bool is_dependent = is_settled && !is_doubtful && meanings > 1;
    const char* role = is_doubtful    ? "macro"
                       : use.is_undef ? "undef"
                       : use.is_self  ? "self"
                       : is_dependent ? "dependent"
                                      : nullptr;
    for (Place to : sure) print_one("to", at(to), role);
    for (Place to : linked)
      if (!sure.count(to)) print_one("to", at(to), is_in_macro ? "macro" : "ambiguous");
    for (Place to : rare)
      if (!sure.count(to)) print_one("to", at(to), is_in_macro ? "macro" : "ambiguous");
    if (sure.empty() && linked.empty() && (rare.empty() || !external.empty() || is_local)) {
      if (is_local && local != kNowhere)
        print_one("to", at(local), nullptr);
      else
        print_one("ext", is_local ? "local" : external, nullptr);
    }
    for (const Target& constructor : use.constructors)
      for (Place to : definitions(constructor)) print_one("to", at(to), "construct");
    if (is_settled && !is_dependent)
      counts_[use.settled.empty() ? "known: only candidate" : "known: instantiated"]++;
    counts_[is_doubtful                       ? "doubtful in macros"
            : is_dependent                    ? "dependent"
            : sure.empty() && !linked.empty() ? "ambiguous"
                                              : "known"]++;
  }

  // Tokens
  // --------------------------------------------------------------------------------------------------

  void file(std::uint32_t index) {
    File& file = facts_.files[index];
    print(json::Object{{"row", "file"}, {"path", file.path}, {"taken", file.is_taken}});
    counts_[file.is_taken ? "files" : "files not taken"]++;
    std::vector<Token> tokens;
    Lexer lexer(SourceLocation(), options_, file.text.c_str(), file.text.c_str(),
                file.text.c_str() + file.text.size());
    lexer.SetCommentRetentionState(false);
    std::vector<std::uint32_t> offsets;
    for (Token token;;) {
      bool is_last = lexer.LexFromRawLexer(token);
      if (token.is(tok::eof)) break;
      tokens.push_back(token);
      offsets.push_back(lexer.getBufferLocation() - file.text.c_str() - token.getLength());
      if (is_last) break;
    }
    auto text = [&](std::size_t i) {
      std::string clean;
      for (std::uint32_t o = offsets[i]; o < offsets[i] + tokens[i].getLength(); o++)
        if (!std::strchr("\\\r\n", file.text[o])) clean += file.text[o];
      return clean;
    };
    auto end_of_directive = [&](std::size_t i) {
      while (++i < tokens.size() && !tokens[i].isAtStartOfLine()) {
      }
      return i;
    };
    auto is_hash = [&](std::size_t i) {
      return tokens[i].is(tok::hash) && tokens[i].isAtStartOfLine();
    };
    for (std::size_t i = 0; i + 2 < tokens.size(); i++)
      if (is_hash(i) && text(i + 1) == "define") {
        std::size_t end = end_of_directive(i);
        std::uint32_t name = offsets[i + 2];
        defines_[index].push_back({offsets[i], offsets[end - 1] + tokens[end - 1].getLength(), name,
                                   offsets[i + 2] + tokens[i + 2].getLength() < file.text.size() &&
                                       file.text[name + tokens[i + 2].getLength()] == '('});
      }
    std::sort(file.calls.begin(), file.calls.end());
    file.calls.erase(std::unique(file.calls.begin(), file.calls.end()), file.calls.end());
    std::size_t square = 0;  // in [[attributes]] until here
    for (std::size_t i = 0; i < tokens.size(); i++) {
      if (facts_.is_cpp && i >= square && i + 1 < tokens.size() && tokens[i].is(tok::l_square) &&
          tokens[i + 1].is(tok::l_square))
        square = end_of_square(tokens, i);
      if (is_hash(i)) {
        std::size_t end = end_of_directive(i);
        if (i + 1 < end) directive(index, tokens, offsets, text, i, end);
        i = end - 1;
        continue;
      }
      if (!tokens[i].is(tok::raw_identifier)) continue;
      std::string name = text(i);
      if (name == "__attribute__" || name == "__declspec" || name == "__attribute") {
        i = attribute(index, tokens, offsets, text, i + 1);
        continue;
      }
      if (facts_.is_cpp && (i < square || name == "override" || name == "final") &&
          !is_known(make_place(index, offsets[i])))
        continue;
      identifier(make_place(index, offsets[i]), name, "unknown");
    }
  }

  /// `[[`: where it closes.
  static std::size_t end_of_square(const std::vector<Token>& tokens, std::size_t i) {
    int depth = 0;
    for (; i < tokens.size(); i++) {
      if (tokens[i].is(tok::l_square)) depth++;
      if (tokens[i].is(tok::r_square) && --depth == 0) return i;
    }
    return i;
  }

  /// Words of an attribute are its own unless clang said more.
  template <class Text>
  std::size_t attribute(std::uint32_t index, const std::vector<Token>& tokens,
                        const std::vector<std::uint32_t>& offsets, Text text, std::size_t i) {
    int depth = 0;
    for (; i < tokens.size(); i++) {
      if (tokens[i].is(tok::l_paren))
        depth++;
      else if (tokens[i].is(tok::r_paren) && --depth == 0)
        return i;
      else if (depth == 0)
        return i - 1;
      else if (Place at = make_place(index, offsets[i]);
               tokens[i].is(tok::raw_identifier) && facts_.uses.count(at))
        identifier(at, text(i), "unknown");
    }
    return i;
  }

  template <class Text>
  void directive(std::uint32_t index, const std::vector<Token>& tokens,
                 const std::vector<std::uint32_t>& offsets, Text text, std::size_t hash,
                 std::size_t end) {
    std::string word = text(hash + 1);
    auto place = [&](std::size_t i) { return make_place(index, offsets[i]); };
    if (word == "include" || word == "import" || word == "include_next")
      return include(index, offsets[hash], offsets[hash + 1] + word.size());
    if (word == "define" && hash + 2 < end)
      return define(index, tokens, offsets, text, hash + 2, end);
    if (word == "error" || word == "warning" || word == "line" || word == "ident" ||
        tokens[hash + 1].isNot(tok::raw_identifier))
      return;
    for (std::size_t i = hash + 2; i < end; i++) {
      if (!tokens[i].is(tok::raw_identifier)) continue;
      std::string name = text(i);
      bool is_known = facts_.uses.count(place(i));
      if (name == "defined" || name.compare(0, 6, "__has_") == 0 || (word == "pragma" && !is_known))
        continue;
      identifier(place(i), name, "condition");
    }
  }

  template <class Text>
  void define(std::uint32_t index, const std::vector<Token>& tokens,
              const std::vector<std::uint32_t>& offsets, Text text, std::size_t name,
              std::size_t end) {
    identifier(make_place(index, offsets[name]), text(name), "skipped");
    std::map<std::string, Place> parameters;
    std::size_t i = name + 1;
    if (define_around(index, offsets[name])->is_function) {
      for (i++; i < end && !tokens[i].is(tok::r_paren); i++) {
        if (!tokens[i].is(tok::raw_identifier)) continue;
        Place at_parameter = make_place(index, offsets[i]);
        parameters[text(i)] = at_parameter;
        print(json::Object{{"row", "def"},
                           {"at", at(at_parameter)},
                           {"name", text(i)},
                           {"qname", text(i)},
                           {"kind", "variable"},
                           {"detail", "parameter"},
                           {"scope", "local"},
                           {"start", line(at_parameter)}});
      }
    }
    for (; i < end; i++) {
      if (!tokens[i].is(tok::raw_identifier)) continue;
      std::string word = text(i);
      Place place = make_place(index, offsets[i]);
      if (word == "__attribute__" || word == "__declspec")
        i = std::min(end - 1, attribute(index, tokens, offsets, text, i + 1));
      else if (auto it = parameters.find(word); it != parameters.end())
        print(json::Object{
            {"row", "use"}, {"at", at(place)}, {"name", word}, {"to", at(it->second)}});
      else
        identifier(place, word, "macro");
    }
  }

  void include(std::uint32_t index, std::uint32_t hash, std::uint32_t after) {
    const File& file = facts_.files[index];
    unsigned number = line(make_place(index, hash));
    json::Object row{{"row", "import"}, {"path", file.path}, {"line", number}, {"kind", "include"}};
    auto it = facts_.includes.find({index, number});
    if (it != facts_.includes.end()) {
      row["spec"] = it->second.spec;
      row["angled"] = it->second.is_angled;
      if (it->second.targets.empty()) row["external"] = it->second.spec;
      for (auto& target : it->second.targets) {
        json::Object copy = row;
        copy["target"] = target;
        print(std::move(copy));
      }
      if (it->second.targets.empty()) print(std::move(row));
      counts_["includes"]++;
      return;
    }
    // No unit read it: the file beside it if it is there, else all files whose path ends so are
    // neither right nor wrong.
    std::size_t begin = file.text.find_first_of("<\"\n", after);
    if (begin == std::string::npos || file.text[begin] == '\n') return;
    std::size_t end = file.text.find_first_of(">\"\n", begin + 1);
    if (end == std::string::npos || file.text[end] == '\n') return;
    std::string spec = file.text.substr(begin + 1, end - begin - 1);
    row["spec"] = spec;
    row["note"] = "unresolved";
    std::string beside =
        (std::filesystem::path(file.path).parent_path() / spec).lexically_normal().string();
    if (!file.is_taken && file.text[begin] == '"' && facts_.file_ids.count(beside)) {
      row.erase("note");
      row["target"] = beside;
    } else {
      json::Array any;
      std::string plain = std::filesystem::path(spec).lexically_normal().string();
      while (plain.compare(0, 3, "../") == 0) plain.erase(0, 3);
      for (auto& path : paths_)
        if (path == plain ||
            (path.size() > plain.size() &&
             path.compare(path.size() - plain.size() - 1, std::string::npos, "/" + plain) == 0))
          any.push_back(path);
      row["any"] = std::move(any);
    }
    print(std::move(row));
  }

  bool is_known(Place place) const {
    auto it = facts_.uses.find(place);
    return facts_.declarations.count(place) ||
           (it != facts_.uses.end() && !targets(it->second).empty());
  }

  bool is_argument(const File& file, std::uint32_t offset) {
    auto it = std::upper_bound(file.calls.begin(), file.calls.end(), std::pair(offset, ~0u));
    for (int steps = 0; it != file.calls.begin() && steps < 64; steps++)
      if ((--it)->second >= offset) return true;
    return false;
  }

  void identifier(Place place, const std::string& name, std::string why) {
    std::uint32_t index = file_of(place), offset = offset_of(place);
    File& file = facts_.files[index];
    const Define* around = define_around(index, offset);
    bool is_in_macro = around && around->name != offset;
    auto declared = facts_.declarations.find(place);
    auto used = facts_.uses.find(place);
    bool is_used = used != facts_.uses.end() && !targets(used->second).empty();
    if (declared != facts_.declarations.end()) declaration(place, declared->second, is_in_macro);
    if (!is_used && declared != facts_.declarations.end()) return;
    if (!is_used && names_.get(name).getTokenID() != tok::identifier) return;
    std::string in;
    if (is_in_macro) {
      if (around->is_function) in = at(make_place(index, around->name));
    } else {
      std::uint32_t width = ~0u;
      for (auto it = file.functions.begin();
           it != file.functions.end() && it->first.first <= offset; ++it)
        if (it->first.second >= offset && it->first.second - it->first.first < width) {
          width = it->first.second - it->first.first;
          in = at(make_place(index, it->second));
        }
    }
    if (is_used) return use(place, name, used->second, in, is_in_macro);
    if (!file.is_taken)
      why = "untaken";
    else if (!file.live[offset])
      why = "skipped";
    else if (facts_.is_cpp && used != facts_.uses.end() && used->second.is_dependent)
      why = "dependent";
    else if (why == "unknown" && is_argument(file, offset))
      why = "argument";
    counts_["unknown: " + why]++;
    json::Object row{{"row", "use"}, {"at", at(place)}, {"name", name}, {"why", why}};
    if (!in.empty()) row["in"] = in;
    print(std::move(row));
  }

  // Families: all methods that override one another, directly or not
  // ---------------------------------------

  void families() {
    std::map<Place, std::set<Place>> near;
    for (auto& [a, b] : facts_.families)
      for (Place first : definitions(a))
        for (Place second : definitions(b))
          if (first != second) near[first].insert(second), near[second].insert(first);
    std::set<Place> seen;
    for (auto& [begin, _] : near) {
      std::vector<Place> all = {begin};
      if (!seen.insert(begin).second) continue;
      for (std::size_t i = 0; i < all.size(); i++)
        for (Place next : near[all[i]])
          if (seen.insert(next).second) all.push_back(next);
      for (std::size_t i = 0; i < all.size(); i++)
        for (std::size_t j = 0; j < i; j++)
          if (all.size() <= 300 || near[all[i]].count(all[j]))
            print(json::Object{{"row", "family"}, {"a", at(all[i])}, {"b", at(all[j])}});
      counts_["families"]++;
    }
  }

  Facts& facts_;
  LangOptions options_;
  IdentifierTable names_;
  std::vector<std::string> paths_;
  std::map<std::uint32_t, std::vector<Define>> defines_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> lines_;
  std::map<std::string, Place> orphans_;
  std::map<std::string, unsigned long> counts_;
};

}  // namespace

void print_rows(Facts& facts) { Printer(facts).run(); }

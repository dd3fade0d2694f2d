// Prints what clang knows of every identifier of a C or C++ repository, as bench/accuracy.md says:
//
//   oracle --root DIR --database compile_commands.json [--cpp] > rows.jsonl
//
// Every C file of the database is a compilation unit, with --cpp every C++ file and header, too. A
// name that is written in the body of a macro counts there (its spelling); what `##` makes has no
// place. Columns are in UTF-16 units.
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "places.h"

using namespace clang;

Facts facts;

int Facts::file(const std::string& real_path) {
  if (real_path.compare(0, root.size() + 1, root + "/") != 0) return -1;
  auto [it, is_new] = file_ids.try_emplace(real_path.substr(root.size() + 1), files.size());
  if (is_new) {
    files.push_back({it->first, "", false, {}, {}, {}});
    if (auto text = llvm::MemoryBuffer::getFile(real_path))
      files.back().text = (*text)->getBuffer().str();
    files.back().live.resize(files.back().text.size() + 1);
  }
  return it->second;
}

void say(std::map<Target, std::pair<unsigned, unsigned>>& targets, const Target& target) {
  auto& [count, last] = targets.try_emplace(target, 0, ~0u).first->second;
  count += last != facts.units;
  last = facts.units;
}

void use(Place at, const Target& target, bool is_call) {
  if (at == kNowhere) return;
  Use& use = facts.uses[at];
  say(use.targets, target);
  use.is_call |= is_call;
}

namespace {

/// Macros, includes and what was skipped.
class Preprocessing : public PPCallbacks {
 public:
  Preprocessing(std::shared_ptr<Places> places) : places_(std::move(places)) {}

  void MacroDefined(const Token& name, const MacroDirective* directive) override {
    Place at = places_->spelled(name.getLocation());
    if (at == kNowhere ||
        !places_->sources().getFileEntryRefForID(places_->sources().getFileID(name.getLocation())))
      return;
    std::string text = name.getIdentifierInfo()->getName().str();
    const char* kind = directive->getMacroInfo()->isFunctionLike() ? "function" : "variable";
    facts.declarations[at] = {text,     text, kind, "macro",
                              "module", at,   true, {Sort::kPlace, at, ""}};
  }
  void MacroExpands(const Token& name, const MacroDefinition& macro, SourceRange range,
                    const MacroArgs* arguments) override {
    mention(name, macro.getMacroInfo(), arguments != nullptr);
    if (arguments && range.getBegin().isFileID() && range.getEnd().isFileID()) {
      Place begin = places_->spelled(range.getBegin()), end = places_->spelled(range.getEnd());
      if (begin != kNowhere && end != kNowhere && file_of(begin) == file_of(end))
        facts.files[file_of(begin)].calls.push_back({offset_of(begin), offset_of(end)});
    }
  }
  void MacroUndefined(const Token& name, const MacroDefinition& macro,
                      const MacroDirective*) override {
    mention(name, macro.getMacroInfo());
    if (Place at = places_->spelled(name.getLocation()); facts.uses.count(at))
      facts.uses[at].is_undef = true;
  }
  void Defined(const Token& name, const MacroDefinition& macro, SourceRange) override {
    mention(name, macro.getMacroInfo());
  }
  void Ifdef(SourceLocation, const Token& name, const MacroDefinition& macro) override {
    mention(name, macro.getMacroInfo());
  }
  void Ifndef(SourceLocation, const Token& name, const MacroDefinition& macro) override {
    mention(name, macro.getMacroInfo());
  }
  void Elifdef(SourceLocation, const Token& name, const MacroDefinition& macro) override {
    mention(name, macro.getMacroInfo());
  }
  void Elifndef(SourceLocation, const Token& name, const MacroDefinition& macro) override {
    mention(name, macro.getMacroInfo());
  }
  void SourceRangeSkipped(SourceRange range, SourceLocation) override {
    auto [id, begin] = places_->sources().getDecomposedLoc(range.getBegin());
    skipped_[id].push_back({begin, places_->sources().getFileOffset(range.getEnd())});
  }
  void InclusionDirective(SourceLocation hash, const Token&, StringRef name, bool is_angled,
                          CharSourceRange, OptionalFileEntryRef file, StringRef, StringRef,
                          const clang::Module*, bool, SrcMgr::CharacteristicKind) override {
    Place at = places_->spelled(hash);
    if (at == kNowhere) return;
    Include& include =
        facts.includes[{file_of(at), places_->sources().getSpellingLineNumber(hash)}];
    include.spec = name.str();
    include.is_angled = is_angled;
    int target = file ? places_->real(*file) : -1;
    if (target >= 0) include.targets.insert(facts.files[target].path);
  }

  /// Marks what the unit read of the repository's files.
  void mark() {
    SourceManager& sources = places_->sources();
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); i++) {
      const SrcMgr::SLocEntry& entry = sources.getLocalSLocEntry(i);
      if (!entry.isFile()) continue;
      FileID id = sources.getFileID(SourceLocation::getFromRawEncoding(entry.getOffset()));
      int index = places_->file(id);
      if (index < 0) continue;
      File& file = facts.files[index];
      file.is_taken = true;
      std::size_t at = 0;
      auto read = [&](std::size_t end) {
        for (; at < end && at < file.live.size(); at++) file.live[at] = true;
      };
      for (auto [begin, end] : skipped_[id]) {
        read(begin);
        at = std::max<std::size_t>(at, end);
      }
      read(file.live.size());
    }
  }

 private:
  void mention(const Token& name, const MacroInfo* macro, bool is_call = false) {
    if (!macro) return;
    Place to = macro->isBuiltinMacro() ? kNowhere : places_->spelled(macro->getDefinitionLoc());
    use(places_->spelled(name.getLocation()),
        to == kNowhere ? Target{Sort::kExternal, kNowhere, "macro"} : Target{Sort::kPlace, to, ""},
        is_call);
  }
  std::shared_ptr<Places> places_;
  std::map<FileID, std::vector<std::pair<unsigned, unsigned>>> skipped_;
};

class Consumer : public ASTConsumer {
 public:
  Consumer(std::shared_ptr<Places> places, Preprocessing* preprocessing)
      : places_(std::move(places)), preprocessing_(preprocessing) {}
  void HandleTranslationUnit(ASTContext& context) override {
    visit_names(context, *places_);
    preprocessing_->mark();
  }

 private:
  std::shared_ptr<Places> places_;
  Preprocessing* preprocessing_;
};

class Action : public ASTFrontendAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    auto places = std::make_shared<Places>(compiler.getSourceManager());
    auto preprocessing = std::make_unique<Preprocessing>(places);
    Preprocessing* kept = preprocessing.get();
    compiler.getPreprocessor().addPPCallbacks(std::move(preprocessing));
    return std::make_unique<Consumer>(places, kept);
  }
  void EndSourceFileAction() override {
    facts.units++;
    facts.errors += getCompilerInstance().getDiagnostics().hasErrorOccurred();
  }
};

/// The C commands of a database (with --cpp those of C++, too), those that differ in their output
/// only once.
class Commands : public tooling::CompilationDatabase {
 public:
  explicit Commands(const CompilationDatabase& from) {
    for (auto& command : from.getAllCompileCommands()) {
      if (!is_taken(command.Filename)) continue;
      auto& all = command.CommandLine;  // clang refuses what it does not know of GCC's
      all.erase(std::remove(all.begin(), all.end(), "-fprofile-abs-path"), all.end());
      std::vector<std::string> kept = {command.Directory};
      for (std::size_t i = 0; i < command.CommandLine.size(); i++) {
        const std::string& argument = command.CommandLine[i];
        if (argument == "-o" || argument == "-MF" || argument == "-MT" || argument == "-MQ")
          i++;
        else if (argument != "-fPIC" && argument != "-fPIE")
          kept.push_back(argument);
      }
      if (seen_.insert(kept).second) commands_[command.Filename].push_back(command);
    }
  }
  std::vector<tooling::CompileCommand> getCompileCommands(StringRef file) const override {
    auto it = commands_.find(file.str());
    return it == commands_.end() ? std::vector<tooling::CompileCommand>() : it->second;
  }
  std::vector<std::string> getAllFiles() const override {
    std::vector<std::string> files;
    for (auto& [file, _] : commands_) files.push_back(file);
    return files;
  }

 private:
  static bool is_taken(StringRef file) {
    if (!facts.is_cpp) return file.ends_with(".c");
    static const std::set<std::string> extensions = {"c",   "cc", "cpp", "cxx", "C",
                                                     "c++", "h",  "hh",  "hpp", "hxx"};
    return extensions.count(file.rsplit('.').second.str());
  }
  std::set<std::vector<std::string>> seen_;
  std::map<std::string, std::vector<tooling::CompileCommand>> commands_;
};

llvm::cl::opt<std::string> root("root", llvm::cl::desc("the repository"), llvm::cl::Required);
llvm::cl::opt<bool> cpp("cpp", llvm::cl::desc("take C++, too"));
llvm::cl::opt<std::string> database("database", llvm::cl::desc("compile_commands.json"),
                                    llvm::cl::Required);

}  // namespace

int main(int count, const char** arguments) {
  llvm::cl::ParseCommandLineOptions(count, arguments);
  llvm::SmallString<256> whole;
  if (llvm::sys::fs::real_path(root, whole)) {
    llvm::errs() << root << ": not a folder\n";
    return 2;
  }
  facts.root = whole.str().str();
  facts.is_cpp = cpp;
  std::string error;
  auto read = tooling::JSONCompilationDatabase::loadFromFile(
      database, error, tooling::JSONCommandLineSyntax::AutoDetect);
  if (!read) {
    llvm::errs() << database << ": " << error << "\n";
    return 2;
  }
  Commands commands(*read);
  tooling::ClangTool tool(commands, commands.getAllFiles());
  // GCC takes more than clang: what it lets pass is no error here.
  tooling::CommandLineArguments more = {"-resource-dir=" RESOURCE_DIR,
                                        "-w",
                                        "-ferror-limit=0",
                                        "-Wno-error",
                                        "-Wno-implicit-function-declaration",
                                        "-Wno-int-conversion",
                                        "-Wno-incompatible-function-pointer-types",
                                        "-Wno-implicit-int"};
  tool.appendArgumentsAdjuster(
      tooling::getInsertArgumentAdjuster(more, tooling::ArgumentInsertPosition::END));
  tool.run(tooling::newFrontendActionFactory<Action>().get());
  print_rows(facts);
  return facts.units == 0;
}

// Prints what clang knows of every identifier of a C repository, as bench/accuracy.md says:
//
//   oracle --root DIR --database compile_commands.json > rows.jsonl
//
// Every C file of the database is a compilation unit. A name that is written in the body of a macro counts there
// (its spelling); what `##` makes has no place. Columns are in UTF-16 units.
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "facts.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clang;

static Facts facts;

int Facts::file(const std::string& real_path) {
  if (real_path.compare(0, root.size() + 1, root + "/") != 0) return -1;
  auto [it, is_new] = file_ids.try_emplace(real_path.substr(root.size() + 1), files.size());
  if (is_new) {
    files.push_back({it->first, "", false, {}, {}, {}});
    if (auto text = llvm::MemoryBuffer::getFile(real_path)) files.back().text = (*text)->getBuffer().str();
    files.back().live.resize(files.back().text.size() + 1);
  }
  return it->second;
}

namespace {

/// Places of one compilation unit's locations.
class Places {
 public:
  explicit Places(SourceManager& sources) : sources_(sources) {}

  /// Where a token is written; kNowhere outside the repository and for what `##` made.
  Place spelled(SourceLocation location) {
    if (location.isInvalid()) return kNowhere;
    return in_file(sources_.getSpellingLoc(location));
  }
  /// Where the text is that expands to the location.
  Place expanded(SourceLocation location) {
    return location.isInvalid() ? kNowhere : in_file(sources_.getFileLoc(location));
  }
  /// The file's id, -1 outside the repository.
  int file(FileID id) {
    auto [it, is_new] = ids_.try_emplace(id, -1);
    if (is_new) {
      if (auto entry = sources_.getFileEntryRefForID(id)) it->second = real(*entry);
    }
    return it->second;
  }
  int real(FileEntryRef entry) {
    llvm::SmallString<256> path(entry.getFileEntry().tryGetRealPathName());
    llvm::SmallString<256> whole;
    if (llvm::sys::fs::real_path(path, whole)) whole = path;
    return facts.file(whole.str().str());
  }
  SourceManager& sources() { return sources_; }

 private:
  Place in_file(SourceLocation location) {
    auto [id, offset] = sources_.getDecomposedLoc(location);
    int index = file(id);
    return index < 0 ? kNowhere : make_place(index, offset);
  }
  SourceManager& sources_;
  llvm::DenseMap<FileID, int> ids_;
};

void use(Place at, const Target& target, bool is_call = false) {
  if (at == kNowhere) return;
  Use& use = facts.uses[at];
  auto& [count, last] = use.targets.try_emplace(target, 0, ~0u).first->second;
  count += last != facts.units;
  last = facts.units;
  use.is_call |= is_call;
}

/// Macros, includes and what was skipped.
class Preprocessing : public PPCallbacks {
 public:
  Preprocessing(std::shared_ptr<Places> places) : places_(std::move(places)) {}

  void MacroDefined(const Token& name, const MacroDirective* directive) override {
    Place at = places_->spelled(name.getLocation());
    if (at == kNowhere || !places_->sources().getFileEntryRefForID(places_->sources().getFileID(name.getLocation()))) return;
    std::string text = name.getIdentifierInfo()->getName().str();
    const char* kind = directive->getMacroInfo()->isFunctionLike() ? "function" : "variable";
    facts.declarations[at] = {text, text, kind, "macro", "module", at, true, {Sort::kPlace, at, ""}};
  }
  void MacroExpands(const Token& name, const MacroDefinition& macro, SourceRange range, const MacroArgs* arguments) override {
    mention(name, macro.getMacroInfo(), arguments != nullptr);
    if (arguments && range.getBegin().isFileID() && range.getEnd().isFileID()) {
      Place begin = places_->spelled(range.getBegin()), end = places_->spelled(range.getEnd());
      if (begin != kNowhere && end != kNowhere && file_of(begin) == file_of(end))
        facts.files[file_of(begin)].calls.push_back({offset_of(begin), offset_of(end)});
    }
  }
  void MacroUndefined(const Token& name, const MacroDefinition& macro, const MacroDirective*) override {
    mention(name, macro.getMacroInfo());
    if (Place at = places_->spelled(name.getLocation()); facts.uses.count(at)) facts.uses[at].is_undef = true;
  }
  void Defined(const Token& name, const MacroDefinition& macro, SourceRange) override { mention(name, macro.getMacroInfo()); }
  void Ifdef(SourceLocation, const Token& name, const MacroDefinition& macro) override { mention(name, macro.getMacroInfo()); }
  void Ifndef(SourceLocation, const Token& name, const MacroDefinition& macro) override { mention(name, macro.getMacroInfo()); }
  void Elifdef(SourceLocation, const Token& name, const MacroDefinition& macro) override { mention(name, macro.getMacroInfo()); }
  void Elifndef(SourceLocation, const Token& name, const MacroDefinition& macro) override { mention(name, macro.getMacroInfo()); }
  void SourceRangeSkipped(SourceRange range, SourceLocation) override {
    auto [id, begin] = places_->sources().getDecomposedLoc(range.getBegin());
    skipped_[id].push_back({begin, places_->sources().getFileOffset(range.getEnd())});
  }
  void InclusionDirective(SourceLocation hash, const Token&, StringRef name, bool is_angled, CharSourceRange,
                          OptionalFileEntryRef file, StringRef, StringRef, const clang::Module*, bool,
                          SrcMgr::CharacteristicKind) override {
    Place at = places_->spelled(hash);
    if (at == kNowhere) return;
    Include& include = facts.includes[{file_of(at), places_->sources().getSpellingLineNumber(hash)}];
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
      auto read = [&](std::size_t end) { for (; at < end && at < file.live.size(); at++) file.live[at] = true; };
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
    use(places_->spelled(name.getLocation()), to == kNowhere ? Target{Sort::kExternal, kNowhere, "macro"} : Target{Sort::kPlace, to, ""}, is_call);
  }
  std::shared_ptr<Places> places_;
  std::map<FileID, std::vector<std::pair<unsigned, unsigned>>> skipped_;
};

class Visitor : public RecursiveASTVisitor<Visitor> {
 public:
  explicit Visitor(Places& places) : places_(places) {}

  bool VisitNamedDecl(NamedDecl* d) {
    if (!d->isImplicit() && d->getIdentifier()) declare(d);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* e) { return refer(e->getLocation(), e->getDecl()); }
  bool VisitMemberExpr(MemberExpr* e) { return refer(e->getMemberLoc(), e->getMemberDecl()); }
  bool VisitTagTypeLoc(TagTypeLoc t) { return refer(t.getNameLoc(), t.getDecl()); }
  bool VisitTypedefTypeLoc(TypedefTypeLoc t) { return refer(t.getNameLoc(), t.getTypedefNameDecl()); }
  bool VisitGotoStmt(GotoStmt* s) { return refer(s->getLabelLoc(), s->getLabel()); }
  bool VisitAddrLabelExpr(AddrLabelExpr* e) { return refer(e->getLabelLoc(), e->getLabel()); }
  bool VisitLabelStmt(LabelStmt* s) { declare(s->getDecl()); return true; }
  bool VisitDesignatedInitExpr(DesignatedInitExpr* e) {
    for (auto& part : e->designators())
      if (part.isFieldDesignator() && part.getFieldDecl()) refer(part.getFieldLoc(), part.getFieldDecl());
    return true;
  }
  bool VisitOffsetOfExpr(OffsetOfExpr* e) {
    for (unsigned i = 0; i < e->getNumComponents(); i++)
      if (e->getComponent(i).getKind() == OffsetOfNode::Field) refer(e->getComponent(i).getEndLoc(), e->getComponent(i).getField());
    return true;
  }
  bool VisitCallExpr(CallExpr* e) {
    const Expr* callee = e->getCallee()->IgnoreParenImpCasts();
    Place at = kNowhere;
    if (auto* name = dyn_cast<DeclRefExpr>(callee)) at = places_.spelled(name->getLocation());
    if (auto* member = dyn_cast<MemberExpr>(callee)) at = places_.spelled(member->getMemberLoc());
    if (at != kNowhere) facts.uses[at].is_call = true;
    return true;
  }

 private:
  static bool is_local(const NamedDecl* d) {
    if (isa<ParmVarDecl>(d) || isa<LabelDecl>(d)) return true;
    if (isa<FunctionDecl>(d)) return false;
    if (auto* variable = dyn_cast<VarDecl>(d); variable && variable->isLocalExternDecl()) return false;
    for (const DeclContext* at = d->getLexicalDeclContext(); at; at = at->getLexicalParent())
      if (at->isFunctionOrMethod()) return true;
    return false;
  }

  /// The definition in this unit, else any declaration; `is_linked` when other units may have it.
  static const NamedDecl* definition(const NamedDecl* d, bool& is_found) {
    const NamedDecl* found = nullptr;
    if (auto* tag = dyn_cast<TagDecl>(d)) found = tag->getDefinition();
    else if (auto* function = dyn_cast<FunctionDecl>(d)) found = function->getDefinition();
    else if (auto* variable = dyn_cast<VarDecl>(d)) {
      found = variable->getDefinition();
      if (!found) found = const_cast<VarDecl*>(variable)->getActingDefinition();
    } else found = cast<NamedDecl>(d->getCanonicalDecl());
    is_found = found != nullptr;
    return found ? found : cast<NamedDecl>(d->getCanonicalDecl());
  }

  static std::string link_name(const NamedDecl* d) {
    if (isa<TagDecl>(d)) return "tag " + d->getNameAsString();
    return d->getFormalLinkage() == Linkage::External ? d->getNameAsString() : "";
  }

  Target target(const NamedDecl* d) {
    bool is_found;
    const NamedDecl* at = definition(d, is_found);
    Place place = places_.spelled(at->getLocation());
    if (is_local(d)) return {Sort::kLocal, place, ""};
    std::string linked = link_name(d);
    if (is_found && place != kNowhere) return {Sort::kPlace, place, ""};
    bool is_ours = false;
    for (const Decl* other : d->redecls()) is_ours |= !other->isImplicit() && places_.spelled(other->getLocation()) != kNowhere;
    if (auto* function = dyn_cast<FunctionDecl>(d); function && function->isImplicit()) is_ours = !function->getBuiltinID();
    if (is_ours && !is_found && !linked.empty()) return {Sort::kLinked, kNowhere, linked};
    if (is_ours && place != kNowhere) return {Sort::kPlace, place, ""};
    SourceManager& sources = places_.sources();
    StringRef header = at->getLocation().isValid() ? sources.getFilename(sources.getExpansionLoc(at->getLocation())) : "builtin";
    return {Sort::kExternal, kNowhere, is_ours ? "pasted" : header.rsplit('/').second.empty() ? header.str() : header.rsplit('/').second.str()};
  }

  bool refer(SourceLocation location, const NamedDecl* d) {
    if (!d || !d->getIdentifier()) return true;
    Place at = places_.spelled(location);
    if (at == kNowhere) return true;
    Target to = target(d);
    if (to.place != at) use(at, to);
    return true;
  }

  void declare(const NamedDecl* d) {
    Place at = places_.spelled(d->getLocation());
    if (at == kNowhere) return;
    bool is_found;
    const NamedDecl* defined = definition(d, is_found);
    bool is_definition = is_found && defined == d;
    Target to = target(d);
    if (auto* tag = dyn_cast<TagDecl>(d); tag && !is_definition && !tag->isFreeStanding()) {
      if (to.place != at) use(at, to);  // struct s* p; where s is not declared before
    }
    std::string linked = link_name(d);
    if (is_definition && to.sort == Sort::kPlace && !linked.empty()) facts.linked[linked].insert(to.place);
    if (isa<TypedefNameDecl>(d) && to.sort == Sort::kPlace && to.place != at) {
      Place a = facts.find(at), b = facts.find(to.place);
      if (a != b) facts.same[std::max(a, b)] = std::min(a, b);
    }
    if (auto* function = dyn_cast<FunctionDecl>(d); function && is_definition && function->hasBody()) body(function, at);
    auto [it, is_new] = facts.declarations.try_emplace(at);
    if (!is_new && !(is_definition && !it->second.is_definition)) return;
    Place start = places_.expanded(d->getBeginLoc());
    if (start == kNowhere || file_of(start) != file_of(at) || start > at) start = at;
    auto [kind, detail] = kind_of(d);
    const char* scope = to.sort == Sort::kLocal ? "local" : isa<FieldDecl>(d) ? "class" : "module";
    it->second = {d->getNameAsString(), qualified(d), kind, detail, scope, start, is_definition, to};
  }

  void body(const FunctionDecl* function, Place name) {
    Place begin = places_.expanded(function->getBeginLoc()), end = places_.expanded(function->getEndLoc());
    if (begin == kNowhere || end == kNowhere || file_of(begin) != file_of(end) || file_of(name) != file_of(begin)) return;
    facts.files[file_of(begin)].functions[{offset_of(begin), offset_of(end)}] = offset_of(name);
  }

  static std::string record_name(const TagDecl* tag) {
    if (tag->getIdentifier()) return tag->getNameAsString();
    return tag->getTypedefNameForAnonDecl() ? tag->getTypedefNameForAnonDecl()->getNameAsString() : "";
  }

  static std::string qualified(const NamedDecl* d) {
    std::string name = d->getNameAsString();
    if (!isa<FieldDecl>(d) && !isa<EnumConstantDecl>(d)) return name;
    for (const DeclContext* at = d->getLexicalDeclContext(); at && at->isRecord() | isa<EnumDecl>(at); at = at->getLexicalParent())
      if (std::string outer = record_name(cast<TagDecl>(at)); !outer.empty()) return outer + "." + name;
    return name;
  }

  static std::pair<const char*, const char*> kind_of(const NamedDecl* d) {
    if (auto* record = dyn_cast<RecordDecl>(d)) return {"class", record->isUnion() ? "union" : "struct"};
    if (isa<EnumDecl>(d)) return {"enum", "enum"};
    if (auto* type = dyn_cast<TypedefNameDecl>(d)) {
      const TagDecl* tag = type->getAnonDeclWithTypedefName();
      return {!tag ? "type" : isa<EnumDecl>(tag) ? "enum" : "class", "typedef"};
    }
    if (isa<FieldDecl>(d) || isa<IndirectFieldDecl>(d)) return {"property", "field"};
    if (isa<EnumConstantDecl>(d)) return {"enum_member", "enumerator"};
    if (isa<FunctionDecl>(d)) return {"function", "function"};
    if (isa<LabelDecl>(d)) return {"variable", "label"};
    return {"variable", isa<ParmVarDecl>(d) ? "parameter" : "variable"};
  }

  Places& places_;
};

class Consumer : public ASTConsumer {
 public:
  Consumer(std::shared_ptr<Places> places, Preprocessing* preprocessing) : places_(std::move(places)), preprocessing_(preprocessing) {}
  void HandleTranslationUnit(ASTContext& context) override {
    Visitor visitor(*places_);
    for (Decl* d : context.getTranslationUnitDecl()->decls())
      if (places_->expanded(d->getLocation()) != kNowhere || places_->expanded(d->getBeginLoc()) != kNowhere) visitor.TraverseDecl(d);
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

/// The C commands of a database, those that differ in their output only once.
class Commands : public tooling::CompilationDatabase {
 public:
  explicit Commands(const CompilationDatabase& from) {
    for (auto& command : from.getAllCompileCommands()) {
      if (!StringRef(command.Filename).ends_with(".c")) continue;
      auto& all = command.CommandLine;  // clang refuses what it does not know of GCC's
      all.erase(std::remove(all.begin(), all.end(), "-fprofile-abs-path"), all.end());
      std::vector<std::string> kept = {command.Directory};
      for (std::size_t i = 0; i < command.CommandLine.size(); i++) {
        const std::string& argument = command.CommandLine[i];
        if (argument == "-o" || argument == "-MF" || argument == "-MT" || argument == "-MQ") i++;
        else if (argument != "-fPIC" && argument != "-fPIE") kept.push_back(argument);
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
  std::set<std::vector<std::string>> seen_;
  std::map<std::string, std::vector<tooling::CompileCommand>> commands_;
};

llvm::cl::opt<std::string> root("root", llvm::cl::desc("the repository"), llvm::cl::Required);
llvm::cl::opt<std::string> database("database", llvm::cl::desc("compile_commands.json"), llvm::cl::Required);

}  // namespace

int main(int count, const char** arguments) {
  llvm::cl::ParseCommandLineOptions(count, arguments);
  llvm::SmallString<256> whole;
  if (llvm::sys::fs::real_path(root, whole)) {
    llvm::errs() << root << ": not a folder\n";
    return 2;
  }
  facts.root = whole.str().str();
  std::string error;
  auto read = tooling::JSONCompilationDatabase::loadFromFile(database, error, tooling::JSONCommandLineSyntax::AutoDetect);
  if (!read) {
    llvm::errs() << database << ": " << error << "\n";
    return 2;
  }
  Commands commands(*read);
  tooling::ClangTool tool(commands, commands.getAllFiles());
  // GCC takes more than clang: what it lets pass is no error here.
  tooling::CommandLineArguments more = {"-resource-dir=" RESOURCE_DIR, "-w", "-ferror-limit=0", "-Wno-error", "-Wno-implicit-function-declaration",
                                        "-Wno-int-conversion", "-Wno-incompatible-function-pointer-types", "-Wno-implicit-int"};
  tool.appendArgumentsAdjuster(tooling::getInsertArgumentAdjuster(more, tooling::ArgumentInsertPosition::END));
  tool.run(tooling::newFrontendActionFactory<Action>().get());
  print_rows(facts);
  return facts.units == 0;
}

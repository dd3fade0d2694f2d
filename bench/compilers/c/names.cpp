// The names of a compilation unit: what it declares and what its names mean.
//
// C++: a name in a template means what the template says; where it depends on the arguments, what
// all instantiations say. What an instantiation names stands for the declaration in the template it
// was made from, a specialisation for the primary template, a using declaration for its target.
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Index/USRGeneration.h"
#include "places.h"

using namespace clang;

namespace {

/// The template that a declaration describes or was made from, one step; null for others. What a
/// using declaration brings, and what a constructor inherits, count as such.
const NamedDecl* step(const NamedDecl* d) {
  if (auto* shadow = dyn_cast<UsingShadowDecl>(d)) return shadow->getTargetDecl();
  if (auto* whole = dyn_cast<RedeclarableTemplateDecl>(d)) {
    if (auto* from = whole->getInstantiatedFromMemberTemplate()) return from;
    return whole->getTemplatedDecl();
  }
  if (auto* function = dyn_cast<FunctionDecl>(d)) {
    if (auto* constructor = dyn_cast<CXXConstructorDecl>(function);
        constructor && constructor->isInheritingConstructor())
      return constructor->getInheritedConstructor().getConstructor();
    if (auto* from = function->getTemplateInstantiationPattern()) return from;
    if (auto* primary = function->getPrimaryTemplate()) return primary->getTemplatedDecl();
    return function->getInstantiatedFromMemberFunction();
  }
  if (auto* special = dyn_cast<ClassTemplateSpecializationDecl>(d))
    return special->getSpecializedTemplate()->getTemplatedDecl();
  if (auto* record = dyn_cast<CXXRecordDecl>(d)) return record->getInstantiatedFromMemberClass();
  if (auto* special = dyn_cast<VarTemplateSpecializationDecl>(d))
    return special->getSpecializedTemplate()->getTemplatedDecl();
  if (auto* variable = dyn_cast<VarDecl>(d)) return variable->getInstantiatedFromStaticDataMember();
  if (auto* type = dyn_cast<EnumDecl>(d)) return type->getInstantiatedFromMemberEnum();
  return nullptr;
}

/// What a use of a declaration is a use of.
const NamedDecl* meant(const NamedDecl* d) {
  for (int steps = 0; steps < 64; steps++) {
    const NamedDecl* next = step(d);
    if (!next || next == d) break;
    d = next;
  }
  return d;
}

bool is_instance(const Decl* d) {
  TemplateSpecializationKind kind = TSK_Undeclared;
  if (auto* function = dyn_cast<FunctionDecl>(d))
    kind = function->getTemplateSpecializationKind();
  else if (auto* record = dyn_cast<CXXRecordDecl>(d))
    kind = record->getTemplateSpecializationKind();
  else if (auto* variable = dyn_cast<VarDecl>(d))
    kind = variable->getTemplateSpecializationKind();
  else if (auto* type = dyn_cast<EnumDecl>(d))
    kind = type->getTemplateSpecializationKind();
  return isTemplateInstantiation(kind);
}

/// The token that names a type, behind qualifiers.
SourceLocation name_of(TypeLoc type) {
  for (; !type.isNull(); type = type.getNextTypeLoc()) {
    if (auto t = type.getAs<TagTypeLoc>()) return t.getNameLoc();
    if (auto t = type.getAs<TypedefTypeLoc>()) return t.getNameLoc();
    if (auto t = type.getAs<UsingTypeLoc>()) return t.getNameLoc();
    if (auto t = type.getAs<InjectedClassNameTypeLoc>()) return t.getNameLoc();
    if (auto t = type.getAs<TemplateSpecializationTypeLoc>()) return t.getTemplateNameLoc();
    if (auto t = type.getAs<DeducedTemplateSpecializationTypeLoc>()) return t.getTemplateNameLoc();
    if (!type.getAs<ElaboratedTypeLoc>() && !type.getAs<QualifiedTypeLoc>()) break;
  }
  return {};
}

class Visitor : public RecursiveASTVisitor<Visitor> {
  using Base = RecursiveASTVisitor<Visitor>;

 public:
  explicit Visitor(Places& places) : places_(places) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseDecl(Decl* d) {
    if (!d) return true;
    bool outer = is_instance_;
    is_instance_ |= is_instance(d);
    bool is_done = Base::TraverseDecl(d);
    is_instance_ = outer;
    return is_done;
  }

  bool VisitNamedDecl(NamedDecl* d) {
    if (d->isImplicit()) return true;
    if (auto* constructor = dyn_cast<CXXConstructorDecl>(d)) own_name(constructor->getLocation());
    if (auto* destructor = dyn_cast<CXXDestructorDecl>(d))
      if (auto* type = destructor->getNameInfo().getNamedTypeInfo())
        own_name(name_of(type->getTypeLoc()));
    if (is_instance_) return instance(d);
    if (isa<BaseUsingDecl, UsingShadowDecl, UsingDirectiveDecl, UnresolvedUsingValueDecl,
            UnresolvedUsingTypenameDecl, RedeclarableTemplateDecl>(d))
      return true;
    if (d->getIdentifier() || isa<CXXConstructorDecl>(d)) declare(d);
    return true;
  }

  // Expressions
  bool VisitDeclRefExpr(DeclRefExpr* e) { return refer(e->getLocation(), e->getDecl()); }
  bool VisitMemberExpr(MemberExpr* e) { return refer(e->getMemberLoc(), e->getMemberDecl()); }
  bool VisitGotoStmt(GotoStmt* s) { return refer(s->getLabelLoc(), s->getLabel()); }
  bool VisitAddrLabelExpr(AddrLabelExpr* e) { return refer(e->getLabelLoc(), e->getLabel()); }
  bool VisitLabelStmt(LabelStmt* s) {
    if (!is_instance_) declare(s->getDecl());
    return true;
  }
  bool VisitDesignatedInitExpr(DesignatedInitExpr* e) {
    for (auto& part : e->designators())
      if (part.isFieldDesignator() && part.getFieldDecl())
        refer(part.getFieldLoc(), part.getFieldDecl());
    return true;
  }
  bool VisitOffsetOfExpr(OffsetOfExpr* e) {
    for (unsigned i = 0; i < e->getNumComponents(); i++)
      if (e->getComponent(i).getKind() == OffsetOfNode::Field)
        refer(e->getComponent(i).getEndLoc(), e->getComponent(i).getField());
    return true;
  }
  bool VisitSizeOfPackExpr(SizeOfPackExpr* e) { return refer(e->getPackLoc(), e->getPack()); }
  bool VisitOverloadExpr(OverloadExpr* e) {
    bool is_sure = !e->hasExplicitTemplateArgs() || isa<UnresolvedMemberExpr>(e);
    if (auto* lookup = dyn_cast<UnresolvedLookupExpr>(e)) is_sure = !lookup->requiresADL();
    return depend(e->getNameLoc(), is_sure && e->getNumDecls() == 1 ? *e->decls_begin() : nullptr);
  }
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr* e) {
    return depend(e->getMemberLoc());
  }
  bool VisitDependentScopeDeclRefExpr(DependentScopeDeclRefExpr* e) {
    return depend(e->getLocation());
  }
  bool VisitCallExpr(CallExpr* e) {
    const Expr* callee = e->getCallee()->IgnoreParenImpCasts();
    Place at = kNowhere;
    if (auto* name = dyn_cast<DeclRefExpr>(callee)) at = places_.spelled(name->getLocation());
    if (auto* member = dyn_cast<MemberExpr>(callee)) at = places_.spelled(member->getMemberLoc());
    if (auto* overload = dyn_cast<OverloadExpr>(callee))
      at = places_.spelled(overload->getNameLoc());
    if (auto* member = dyn_cast<CXXDependentScopeMemberExpr>(callee))
      at = places_.spelled(member->getMemberLoc());
    if (auto* name = dyn_cast<DependentScopeDeclRefExpr>(callee))
      at = places_.spelled(name->getLocation());
    if (at != kNowhere) facts.uses[at].is_call = true;
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr* e) {
    for (auto& capture : e->explicit_captures())
      if (capture.capturesVariable() && !e->isInitCapture(&capture))
        refer(capture.getLocation(), capture.getCapturedVar());
    if (auto* whole = e->getCallOperator()->getDescribedFunctionTemplate())
      for (auto* special : whole->specializations()) TraverseDecl(special);
    return true;
  }

  // What is constructed where its class is named
  bool VisitCXXTemporaryObjectExpr(CXXTemporaryObjectExpr* e) {
    return construct(e->getTypeSourceInfo(), e);
  }
  bool VisitCXXFunctionalCastExpr(CXXFunctionalCastExpr* e) {
    return construct(e->getTypeInfoAsWritten(), e->getSubExpr());
  }
  bool VisitCXXNewExpr(CXXNewExpr* e) {
    return construct(e->getAllocatedTypeSourceInfo(), e->getConstructExpr());
  }
  bool VisitVarDecl(VarDecl* d) {
    return isa<ParmVarDecl>(d) || construct(d->getTypeSourceInfo(), d->getInit());
  }
  bool VisitCXXConstructorDecl(CXXConstructorDecl* d) {
    for (auto* part : d->inits()) {
      if (!part->isWritten()) continue;
      if (part->isAnyMemberInitializer())
        refer(part->getMemberLocation(), part->getAnyMember());
      else
        construct(part->getTypeSourceInfo(), part->getInit());
    }
    return true;
  }

  // Types and templates
  bool VisitTagTypeLoc(TagTypeLoc t) { return refer(t.getNameLoc(), t.getDecl()); }
  bool VisitTypedefTypeLoc(TypedefTypeLoc t) {
    return refer(t.getNameLoc(), t.getTypedefNameDecl());
  }
  bool VisitUsingTypeLoc(UsingTypeLoc t) { return refer(t.getNameLoc(), t.getFoundDecl()); }
  bool VisitInjectedClassNameTypeLoc(InjectedClassNameTypeLoc t) {
    return refer(t.getNameLoc(), t.getDecl());
  }
  bool VisitTemplateTypeParmTypeLoc(TemplateTypeParmTypeLoc t) {
    return refer(t.getNameLoc(), t.getDecl());
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc t) {
    return refer(t.getTemplateNameLoc(), t.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }
  bool VisitDeducedTemplateSpecializationTypeLoc(DeducedTemplateSpecializationTypeLoc t) {
    return refer(t.getTemplateNameLoc(), t.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }
  bool VisitDependentNameTypeLoc(DependentNameTypeLoc t) { return depend(t.getNameLoc()); }
  bool VisitDependentTemplateSpecializationTypeLoc(DependentTemplateSpecializationTypeLoc t) {
    return depend(t.getTemplateNameLoc());
  }
  bool VisitConceptReference(ConceptReference* c) {
    return refer(c->getConceptNameLoc(), c->getNamedConcept());
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc& argument) {
    auto kind = argument.getArgument().getKind();
    if (kind == TemplateArgument::Template || kind == TemplateArgument::TemplateExpansion)
      refer(argument.getTemplateNameLoc(),
            argument.getArgument().getAsTemplateOrTemplatePattern().getAsTemplateDecl());
    return Base::TraverseTemplateArgumentLoc(argument);
  }

  // Namespaces
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc name) {
    if (!name) return true;
    const NestedNameSpecifier* part = name.getNestedNameSpecifier();
    if (part->getAsNamespace()) refer(name.getLocalBeginLoc(), part->getAsNamespace());
    if (part->getAsNamespaceAlias()) refer(name.getLocalBeginLoc(), part->getAsNamespaceAlias());
    if (part->getAsIdentifier()) depend(name.getLocalBeginLoc());
    return Base::TraverseNestedNameSpecifierLoc(name);
  }
  bool VisitNamespaceAliasDecl(NamespaceAliasDecl* d) {
    return refer(d->getTargetNameLoc(), d->getAliasedNamespace());
  }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl* d) {
    return refer(d->getIdentLocation(), d->getNominatedNamespaceAsWritten());
  }
  bool VisitUsingDecl(UsingDecl* d) {
    for (auto* shadow : d->shadows()) refer(d->getLocation(), shadow);
    return true;
  }
  bool VisitCXXDeductionGuideDecl(CXXDeductionGuideDecl* d) {
    return d->isImplicit() || refer(d->getLocation(), d->getDeducedTemplate());
  }

  // Families
  bool VisitCXXMethodDecl(CXXMethodDecl* d) {
    for (auto* other : d->overridden_methods()) relate(d, other);
    return true;
  }

 private:
  void relate(const NamedDecl* a, const NamedDecl* b) {
    Target first = target(meant(a)), second = target(meant(b));
    if (second.sort != Sort::kExternal && first != second) facts.families.insert({first, second});
  }

  void own_name(SourceLocation location) {
    Place at = places_.spelled(location);
    if (at != kNowhere) facts.uses[at].is_self = true;
  }

  /// An explicit instantiation names what it instantiates.
  bool instance(const NamedDecl* d) {
    if (auto* record = dyn_cast<ClassTemplateSpecializationDecl>(d)) {
      if (record->isExplicitInstantiationOrSpecialization()) refer(record->getLocation(), record);
    } else if (auto* function = dyn_cast<FunctionDecl>(d)) {
      auto kind = function->getTemplateSpecializationKind();
      if (kind != TSK_ImplicitInstantiation) refer(function->getPointOfInstantiation(), function);
    }
    return true;
  }

  bool construct(const TypeSourceInfo* type, const Expr* init) {
    if (!type || !init || !facts.is_cpp) return true;
    auto* made = dyn_cast<CXXConstructExpr>(init->IgnoreImplicit());
    if (!made || made->isElidable()) return true;
    const NamedDecl* to = meant(made->getConstructor());
    Place at = places_.spelled(name_of(type->getTypeLoc()));
    if (at == kNowhere || to->isImplicit()) return true;
    Target target = this->target(to);
    if (target.sort == Sort::kExternal) return true;
    facts.uses[at].constructors.insert(target);
    facts.uses[at].is_call = true;
    return true;
  }

  static bool is_local(const NamedDecl* d) {
    if (isa<ParmVarDecl, LabelDecl, TemplateTypeParmDecl, NonTypeTemplateParmDecl,
            TemplateTemplateParmDecl>(d))
      return true;
    if (auto* function = dyn_cast<FunctionDecl>(d); function && !isa<CXXMethodDecl>(function))
      return false;
    if (auto* variable = dyn_cast<VarDecl>(d); variable && variable->isLocalExternDecl())
      return false;
    for (const DeclContext* at = d->getLexicalDeclContext(); at; at = at->getLexicalParent())
      if (at->isFunctionOrMethod()) return true;
    return false;
  }

  /// The definition in this unit, else any declaration; `is_linked` when other units may have it.
  static const NamedDecl* definition(const NamedDecl* d, bool& is_found) {
    const NamedDecl* found = nullptr;
    if (auto* tag = dyn_cast<TagDecl>(d))
      found = tag->getDefinition();
    else if (auto* function = dyn_cast<FunctionDecl>(d)) {
      found = function->getDefinition();
      if (!found && function->isPureVirtual()) found = function->getCanonicalDecl();
    } else if (auto* variable = dyn_cast<VarDecl>(d)) {
      found = variable->getDefinition();
      if (!found) found = const_cast<VarDecl*>(variable)->getActingDefinition();
    } else if (!isa<NamespaceDecl>(d))
      found = cast<NamedDecl>(d->getCanonicalDecl());
    is_found = found != nullptr;
    return found ? found : cast<NamedDecl>(d->getCanonicalDecl());
  }

  static std::string link_name(const NamedDecl* d) {
    bool is_c = !d->getASTContext().getLangOpts().CPlusPlus;
    if (auto* function = dyn_cast<FunctionDecl>(d)) is_c |= function->isExternC();
    if (auto* variable = dyn_cast<VarDecl>(d)) is_c |= variable->isExternC();
    if (is_c && isa<TagDecl>(d)) return "tag " + d->getNameAsString();
    if (d->getFormalLinkage() != Linkage::External) return "";
    if (is_c) return d->getNameAsString();
    if (isa<NamespaceDecl>(d))
      return "namespace " + qualified(d);  // whatever inline ones units choose
    llvm::SmallString<256> name;
    return index::generateUSRForDecl(d, name) ? "" : name.str().str();
  }

  Target target(const NamedDecl* d) {
    bool is_found;
    const NamedDecl* at = definition(d, is_found);
    Place place = places_.spelled(at->getLocation());
    if (is_local(d)) return {Sort::kLocal, place, ""};
    if (is_found && place != kNowhere) return {Sort::kPlace, place, ""};
    SourceManager& sources = places_.sources();
    bool is_ours = false, is_system = false,
         is_generated = false;  // declared in a header that the build writes
    for (const Decl* other : d->redecls()) {
      if (other->getLocation().isInvalid()) continue;
      bool is_here = places_.spelled(other->getLocation()) != kNowhere;
      is_ours |= !other->isImplicit() && is_here;
      (sources.isInSystemHeader(other->getLocation()) ? is_system : is_generated) |= !is_here;
    }
    if (auto* function = dyn_cast<FunctionDecl>(d);
        function && function->isImplicit() && !isa<CXXMethodDecl>(d))
      is_ours = !function->getBuiltinID();
    if (auto* space = dyn_cast<NamespaceDecl>(d)) {
      is_system |= space->isStdNamespace();
      is_ours &= !is_system;
    }
    bool may_be_ours = is_ours || (facts.is_cpp && is_generated && !is_system);
    std::string linked = may_be_ours && !is_found ? link_name(d) : "";
    if (!linked.empty()) return {Sort::kLinked, kNowhere, linked};
    if (is_ours && place != kNowhere) return {Sort::kPlace, place, ""};
    StringRef header = at->getLocation().isValid()
                           ? sources.getFilename(sources.getExpansionLoc(at->getLocation()))
                           : "builtin";
    return {Sort::kExternal, kNowhere,
            is_ours                             ? "pasted"
            : header.rsplit('/').second.empty() ? header.str()
                                                : header.rsplit('/').second.str()};
  }

  /// Whether the token there is the declaration's name: an instantiation may stand at another one.
  static bool is_written(Place at, const NamedDecl* d) {
    StringRef name = d->getName();
    const std::string& text = facts.files[file_of(at)].text;
    return !facts.is_cpp ||
           text.compare(offset_of(at), name.size(), name.data(), name.size()) == 0 ||
           text[offset_of(at)] == '\\';
  }

  bool refer(SourceLocation location, const NamedDecl* d) {
    if (!d) return true;
    d = meant(d);
    if (!d->getIdentifier()) return true;
    Place at = places_.spelled(location);
    if (at == kNowhere || !is_written(at, d)) return true;
    Target to = target(d);
    if (to.place == at) return true;
    if (is_instance_)
      say(facts.uses[at].settled, to);
    else
      use(at, to);
    return true;
  }

  bool depend(SourceLocation location, const NamedDecl* candidate = nullptr) {
    Place at = places_.spelled(location);
    if (at == kNowhere) return true;
    facts.uses[at].is_dependent = true;
    if (candidate) candidate = meant(candidate);
    if (candidate && candidate->getIdentifier() && is_written(at, candidate))
      say(facts.uses[at].likely, target(candidate));
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
    std::string linked = is_definition && to.sort == Sort::kPlace ? link_name(d) : "";
    if (!linked.empty()) facts.linked[linked].insert(to.place);
    if (isa<TypedefNameDecl>(d) && to.sort == Sort::kPlace && to.place != at) {
      Place a = facts.find(at), b = facts.find(to.place);
      if (a != b) facts.same[std::max(a, b)] = std::min(a, b);
    }
    const NamedDecl* primary =
        isa<FunctionDecl, CXXRecordDecl, VarDecl>(d) && to.sort != Sort::kLocal ? meant(d) : d;
    if (primary != d && !isa<UsingShadowDecl>(primary)) relate_special(to, primary);
    if (auto* function = dyn_cast<FunctionDecl>(d); function && is_definition &&
                                                    function->doesThisDeclarationHaveABody() &&
                                                    to.sort != Sort::kLocal)
      body(function, at);
    auto [it, is_new] = facts.declarations.try_emplace(at);
    if (!is_new && !(is_definition && !it->second.is_definition)) return;
    Place start = places_.expanded(d->getBeginLoc());
    if (start == kNowhere || file_of(start) != file_of(at) || start > at) start = at;
    auto [kind, detail] = kind_of(d);
    const char* scope = to.sort == Sort::kLocal ? "local" : is_member(d) ? "class" : "module";
    it->second = {simple_name(d), qualified(d), kind, detail, scope, start, is_definition, to};
  }

  void relate_special(const Target& to, const NamedDecl* primary) {
    Target other = target(primary);
    if (other.sort != Sort::kExternal && other != to) facts.families.insert({to, other});
  }

  void body(const FunctionDecl* function, Place name) {
    Place begin = places_.expanded(function->getBeginLoc()),
          end = places_.expanded(function->getEndLoc());
    if (begin == kNowhere || end == kNowhere || file_of(begin) != file_of(end) ||
        file_of(name) != file_of(begin))
      return;
    facts.files[file_of(begin)].functions[{offset_of(begin), offset_of(end)}] = offset_of(name);
  }

  static bool is_member(const NamedDecl* d) {
    if (!facts.is_cpp) return isa<FieldDecl>(d);
    const DeclContext* at = d->getDeclContext();
    return at->isRecord() || (isa<EnumDecl>(at) && at->getParent()->isRecord());
  }

  static std::string simple_name(const NamedDecl* d) {
    return isa<CXXConstructorDecl>(d) ? cast<CXXConstructorDecl>(d)->getParent()->getNameAsString()
                                      : d->getNameAsString();
  }

  static std::string record_name(const TagDecl* tag) {
    if (tag->getIdentifier()) return tag->getNameAsString();
    return tag->getTypedefNameForAnonDecl() ? tag->getTypedefNameForAnonDecl()->getNameAsString()
                                            : "";
  }

  static std::string qualified(const NamedDecl* d) {
    std::string name = simple_name(d);
    if (facts.is_cpp) {
      for (const DeclContext* at = d->getDeclContext(); at && !at->isFunctionOrMethod();
           at = at->getParent()) {
        std::string outer;
        if (auto* space = dyn_cast<NamespaceDecl>(at))
          outer = space->isInline() ? "" : space->getNameAsString();
        else if (auto* tag = dyn_cast<TagDecl>(at))
          outer = record_name(tag);
        if (!outer.empty()) name = outer + "." + name;
      }
      return name;
    }
    if (!isa<FieldDecl>(d) && !isa<EnumConstantDecl>(d)) return name;
    for (const DeclContext* at = d->getLexicalDeclContext();
         at && at->isRecord() | isa<EnumDecl>(at); at = at->getLexicalParent())
      if (std::string outer = record_name(cast<TagDecl>(at)); !outer.empty())
        return outer + "." + name;
    return name;
  }

  static std::pair<const char*, const char*> kind_of(const NamedDecl* d) {
    if (auto* record = dyn_cast<RecordDecl>(d))
      return {"class", record->isUnion() ? "union" : record->isClass() ? "class" : "struct"};
    if (isa<EnumDecl>(d)) return {"enum", "enum"};
    if (isa<TypeAliasDecl>(d)) return {"type", "typedef"};
    if (auto* type = dyn_cast<TypedefNameDecl>(d)) {
      const TagDecl* tag = type->getAnonDeclWithTypedefName();
      return {!tag ? "type" : isa<EnumDecl>(tag) ? "enum" : "class", "typedef"};
    }
    if (isa<NamespaceDecl, NamespaceAliasDecl>(d)) return {"namespace", "namespace"};
    if (isa<ConceptDecl>(d)) return {"type", "concept"};
    if (isa<TemplateTypeParmDecl, TemplateTemplateParmDecl>(d)) return {"type", "parameter"};
    if (isa<FieldDecl>(d) || isa<IndirectFieldDecl>(d)) return {"property", "field"};
    if (auto* variable = dyn_cast<VarDecl>(d); variable && variable->isStaticDataMember())
      return {"property", "field"};
    if (isa<EnumConstantDecl>(d)) return {"enum_member", "enumerator"};
    if (isa<CXXConstructorDecl>(d)) return {"constructor", "constructor"};
    if (isa<CXXMethodDecl>(d)) return {"method", "method"};
    if (isa<FunctionDecl>(d)) return {"function", "function"};
    if (isa<LabelDecl>(d)) return {"variable", "label"};
    return {"variable", isa<ParmVarDecl>(d) ? "parameter" : "variable"};
  }

  Places& places_;
  bool is_instance_ = false;
};

}  // namespace

void visit_names(ASTContext& context, Places& places) {
  Visitor visitor(places);
  for (Decl* d : context.getTranslationUnitDecl()->decls())
    if (places.expanded(d->getLocation()) != kNowhere ||
        places.expanded(d->getBeginLoc()) != kNowhere)
      visitor.TraverseDecl(d);
}

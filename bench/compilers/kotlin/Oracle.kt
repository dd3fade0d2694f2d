// What Kotlin's compiler says of a repository, a row of JSON for each name (bench/accuracy.md has the rows).
//
//     Oracle DIR [-cp JARS] [-skip REGEX] > rows.jsonl
//
// All sources of DIR are one module; those whose path has something that REGEX finds are not compiled, and their
// names are unknown. Java sources are seen, their own uses are unknown. Needs kotlin-compiler 1.9.25.
import com.intellij.openapi.util.Disposer
import com.intellij.psi.PsiElement
import com.intellij.psi.PsiNameIdentifierOwner
import java.io.File
import java.io.PrintStream
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys
import org.jetbrains.kotlin.cli.common.config.addKotlinSourceRoot
import org.jetbrains.kotlin.cli.common.messages.*
import org.jetbrains.kotlin.cli.jvm.compiler.*
import org.jetbrains.kotlin.cli.jvm.config.*
import org.jetbrains.kotlin.config.*
import org.jetbrains.kotlin.descriptors.*
import org.jetbrains.kotlin.descriptors.impl.*
import org.jetbrains.kotlin.lexer.KtTokens
import org.jetbrains.kotlin.load.java.sam.*
import org.jetbrains.kotlin.psi.*
import org.jetbrains.kotlin.psi.psiUtil.*
import org.jetbrains.kotlin.resolve.*
import org.jetbrains.kotlin.resolve.sam.SamConstructorDescriptor
import org.jetbrains.kotlin.resolve.scopes.*
import org.jetbrains.kotlin.synthetic.SyntheticJavaPropertyDescriptor

val output = PrintStream(java.io.FileOutputStream(java.io.FileDescriptor.out).buffered(1 shl 16), false, "UTF-8")
lateinit var root: String
lateinit var context: BindingContext

fun text(value: String) = "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
fun row(vararg pairs: Pair<String, Any?>) = output.println(
    pairs.filter { it.second != null }.joinToString(",", "{", "}") { (key, value) ->
        text(key) + ":" + if (value is String) text(value) else value.toString() })

val lineStarts = HashMap<String, IntArray>()
fun lineOf(element: PsiElement): Int = placeOf(element).first
fun pathOf(element: PsiElement): String? =
    element.containingFile?.virtualFile?.path?.takeIf { it.startsWith("$root/") }?.removePrefix("$root/")

fun placeOf(element: PsiElement): Pair<Int, Int> {
    val file = element.containingFile
    val starts = lineStarts.getOrPut(file.virtualFile.path) {
        val found = mutableListOf(0)
        file.text.forEachIndexed { i, c -> if (c == '\n') found += i + 1 }
        found.toIntArray()
    }
    val offset = element.textRange.startOffset
    val found = starts.binarySearch(offset)
    val line = if (found >= 0) found else -found - 2
    return line + 1 to offset - starts[line] + 1
}

fun at(element: PsiElement): String? = pathOf(element)?.let { path -> placeOf(element).let { "$path:${it.first}:${it.second}" } }

// Where the name of a declaration stands.
fun nameAt(declaration: PsiElement?): String? = when (declaration) {
    null -> null
    is KtPrimaryConstructor -> nameAt(declaration.getContainingClassOrObject())
    is KtSecondaryConstructor -> nameAt(declaration.getContainingClassOrObject())
    is KtObjectDeclaration -> if (declaration.isCompanion() && declaration.nameIdentifier == null)
        nameAt(declaration.containingClassOrObject) else declaration.nameIdentifier?.let { at(it) }
    is PsiNameIdentifierOwner -> declaration.nameIdentifier?.let { at(it) }
    else -> null
}

fun kindOf(declaration: PsiElement): String? = when (declaration) {
    is KtEnumEntry -> "enum_member"
    is KtClass -> if (declaration.isEnum()) "enum" else if (declaration.isInterface()) "interface" else "class"
    is KtObjectDeclaration -> if (declaration.nameIdentifier == null) null else "class"
    is KtTypeAlias -> "type"
    is KtNamedFunction -> if (declaration.nameIdentifier == null) null
        else if (declaration.containingClassOrObject != null && !declaration.isLocal) "method" else "function"
    is KtProperty -> if (declaration.isLocal) null else if (declaration.isMember) "property" else "variable"
    is KtParameter -> if (declaration.hasValOrVar()) "property" else null
    else -> null
}

fun isLocal(declaration: KtDeclaration): Boolean =
    declaration.parents.any { it is KtFunction && it !is KtPrimaryConstructor || it is KtFunctionLiteral || it is KtClassInitializer ||
        it is KtObjectLiteralExpression || it is KtPropertyAccessor || it is KtProperty }

fun define(declaration: KtNamedDeclaration) {
    val kind = kindOf(declaration) ?: return
    val place = nameAt(declaration) ?: return
    val name = declaration.name ?: return
    val scope = if (isLocal(declaration)) "local" else if (declaration.parent is KtFile) "module" else "class"
    val qualified = generateSequence<PsiElement>(declaration) { it.parent }.filterIsInstance<KtNamedDeclaration>()
        .filter { it !is KtPrimaryConstructor && it.nameIdentifier != null }.map { it.name }.toList().reversed().joinToString(".")
    row("row" to "def", "at" to place, "name" to name, "qname" to qualified, "kind" to kind, "scope" to scope,
        "start" to lineOf(declaration))
    var descriptor = context.get(BindingContext.DECLARATION_TO_DESCRIPTOR, declaration)
    if (declaration is KtParameter) descriptor = context.get(BindingContext.PRIMARY_CONSTRUCTOR_PARAMETER, declaration)
    if (descriptor is CallableMemberDescriptor) {
        for (above in DescriptorUtils.getAllOverriddenDescriptors(descriptor)) {
            val other = nameAt(DescriptorToSourceUtils.getSourceFromDescriptor((above as DeclarationDescriptor).original)) ?: continue
            if (other != place) row("row" to "family", "a" to place, "b" to other)
        }
    }
}

// The descriptors that stand for what is written.
fun plain(descriptor: DeclarationDescriptor): List<DeclarationDescriptor> = when {
    descriptor is SamConstructorDescriptor -> listOf(descriptor.baseDescriptorForSynthetic)
    descriptor is TypeAliasConstructorDescriptor -> listOf(descriptor.typeAliasDescriptor)
    descriptor is ConstructorDescriptor -> listOf(descriptor.constructedClass)
    descriptor is SyntheticJavaPropertyDescriptor -> listOf(descriptor.getMethod)
    descriptor is PropertyAccessorDescriptor -> listOf(descriptor.correspondingProperty)
    descriptor is CallableMemberDescriptor && (descriptor.kind == CallableMemberDescriptor.Kind.FAKE_OVERRIDE ||
        descriptor.kind == CallableMemberDescriptor.Kind.DELEGATION) && descriptor.overriddenDescriptors.isNotEmpty() ->
        descriptor.overriddenDescriptors.flatMap { plain(it) }
    else -> listOf(descriptor)
}

fun around(element: PsiElement): String? = element.parents.firstOrNull {
    it is KtNamedFunction && !it.isLocal && it.nameIdentifier != null || it is KtProperty && !it.isLocal }?.let { nameAt(it) }

fun use(name: KtSimpleNameExpression) {
    val element = name.getReferencedNameElement()
    val written = name.getReferencedName()
    if (written == "this" || written == "super" || written == "_") return
    if (name is KtOperationReferenceExpression && element.node.elementType != KtTokens.IDENTIFIER) return
    if (name is KtConstructorDelegationReferenceExpression || name is KtEnumEntrySuperclassReferenceExpression) return
    val place = at(element) ?: return
    val isImport = name.getStrictParentOfType<KtImportDirective>() != null
    if (name.getStrictParentOfType<KtPackageDirective>() != null) return
    val role = if (isImport) "import" else null
    val parent = name.parent
    val isCall = parent is KtCallExpression && parent.calleeExpression == name || name is KtOperationReferenceExpression ||
        name.getStrictParentOfType<KtConstructorCalleeExpression>()?.constructorReferenceExpression == name
    if (name is KtLabelReferenceExpression) {
        if (parent?.parent !is KtThisExpression && parent?.parent !is KtSuperExpression) return
        val target = context.get(BindingContext.LABEL_TARGET, name)
        val to = (target as? KtNamedDeclaration)?.takeIf { kindOf(it) != null }?.let { nameAt(it) } ?: return
        row("row" to "use", "at" to place, "name" to written, "to" to to, "in" to around(name))
        return
    }
    var targets = context.get(BindingContext.AMBIGUOUS_REFERENCE_TARGET, name)?.toList()
    if (targets == null) targets = listOfNotNull(context.get(BindingContext.REFERENCE_TARGET, name))
    if (!isImport && targets.size > 1) targets = emptyList()
    if (targets.isEmpty() || targets.all { org.jetbrains.kotlin.types.error.ErrorUtils.isError(it) }) {
        row("row" to "use", "at" to place, "name" to written, "in" to around(name), "call" to if (isCall) true else null,
            "role" to role)
        return
    }
    val seen = HashSet<String?>()
    for (target in targets.flatMap { plain(it) }) {
        if (target is PackageViewDescriptor || target is PackageFragmentDescriptor || target is TypeParameterDescriptor ||
            target is LocalVariableDescriptor || target is SyntheticFieldDescriptor || target is ReceiverParameterDescriptor) continue
        val declaration = DescriptorToSourceUtils.getSourceFromDescriptor(target.original)
        if (target is ValueParameterDescriptor && (declaration as? KtParameter)?.hasValOrVar() != true) continue
        var to = declaration?.let { nameAt(it) }
        val isMade = target is CallableMemberDescriptor && target.kind == CallableMemberDescriptor.Kind.SYNTHESIZED
        if (to != null && declaration is KtDeclaration && kindOf(declaration) == null && declaration !is KtConstructor<*> &&
            (declaration as? KtObjectDeclaration)?.isCompanion() != true) continue
        if (isMade) to = null
        if (!seen.add(to)) continue
        val ext = if (to == null) DescriptorUtils.getFqName(target).parent().asString().ifEmpty { "-" } else null
        row("row" to "use", "at" to place, "name" to written, "to" to to, "ext" to ext, "in" to around(name),
            "call" to if (isCall) true else null, "role" to role)
        if (!isImport && to != null) break
    }
}

val words = Regex("[A-Za-z_][A-Za-z_0-9]*")
fun unknown(path: String, source: String, known: Set<String>) {
    source.split('\n').forEachIndexed { line, text ->
        for (match in words.findAll(text)) if (match.value in known)
            row("row" to "use", "at" to "$path:${line + 1}:${match.range.first + 1}", "name" to match.value)
    }
}

fun imports(file: KtFile, path: String) {
    for (directive in file.importDirectives) {
        val spec = directive.importedFqName?.asString() ?: continue
        val last = directive.importedReference?.getQualifiedElementSelector() as? KtSimpleNameExpression ?: continue
        var found = context.get(BindingContext.AMBIGUOUS_REFERENCE_TARGET, last)?.toList()
            ?: listOfNotNull(context.get(BindingContext.REFERENCE_TARGET, last))
        found = found.flatMap { plain(it) }
        val files = found.mapNotNull { DescriptorToSourceUtils.getSourceFromDescriptor(it.original)?.let { d -> pathOf(d) } }.toSortedSet()
        var target: String? = files.firstOrNull()
        var any: List<String> = files.drop(1)
        if (target == null && directive.isAllUnder) {
            val folders = packages[spec]?.groupingBy { it.substringBeforeLast('/', "") }?.eachCount()
            if (folders != null) {
                target = folders.maxByOrNull { it.value }!!.key
                any = folders.keys.filter { it != target }
            }
        }
        val isOurs = target == null && packages.keys.any { spec.startsWith("$it.") }
        row("row" to "import", "path" to path, "spec" to spec + if (directive.isAllUnder) ".*" else "", "line" to lineOf(directive),
            "target" to target, "external" to if (target == null && !isOurs) spec else null,
            "any" to if (any.isEmpty()) null else Raw(any.joinToString(",", "[", "]") { text(it) }))
    }
}

class Raw(val value: String) { override fun toString() = value }
val packages = HashMap<String, MutableList<String>>()

fun main(arguments: Array<String>) {
    root = File(arguments[0]).canonicalPath
    var jars = listOf<File>()
    var skip: Regex? = null
    for (i in 1 until arguments.size - 1) {
        if (arguments[i] == "-cp") jars = arguments[i + 1].split(':').filter { it.isNotEmpty() }.map { File(it) }
        if (arguments[i] == "-skip") skip = Regex(arguments[i + 1])
    }
    val configuration = CompilerConfiguration()
    var errors = 0
    configuration.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.NONE)
    configuration.put(CommonConfigurationKeys.MODULE_NAME, "all")
    configuration.configureJdkClasspathRoots()
    configuration.put(JVMConfigurationKeys.JDK_HOME, File(System.getProperty("java.home")))
    configuration.addJvmClasspathRoots(jars)
    configuration.put(CommonConfigurationKeys.LANGUAGE_VERSION_SETTINGS, LanguageVersionSettingsImpl(
        LanguageVersion.KOTLIN_1_9, ApiVersion.KOTLIN_1_9,
        mapOf(AnalysisFlags.optIn to listOf("kotlin.RequiresOptIn"), JvmAnalysisFlags.jvmDefaultMode to JvmDefaultMode.DEFAULT)
            .let { mapOf<AnalysisFlag<*>, Any?>(AnalysisFlags.skipMetadataVersionCheck to true, AnalysisFlags.skipPrereleaseCheck to true,
                AnalysisFlags.allowKotlinPackage to true) },
        mapOf(LanguageFeature.MultiPlatformProjects to LanguageFeature.State.ENABLED,
            LanguageFeature.ContextReceivers to LanguageFeature.State.ENABLED)))
    val all = File(root).walk().onEnter { it.name != ".git" && it.name != "build" && it.name != "node_modules" }
        .filter { it.isFile && (it.extension == "kt" || it.extension == "java" || it.extension == "kts") }.sortedBy { it.path }.toList()
    val taken = all.filter { it.extension == "kt" && skip?.containsMatchIn(it.path.removePrefix("$root/")) != true }
    taken.forEach { configuration.addKotlinSourceRoot(it.path) }
    val javaRoots = all.filter { it.extension == "java" }.mapNotNull { file ->
        val name = Regex("(?m)^package\\s+([\\w.]+)").find(file.readText())?.groupValues?.get(1) ?: ""
        val folder = file.parentFile.path
        val ending = "/" + name.replace('.', '/')
        if (name.isEmpty()) folder else if (folder.endsWith(ending)) folder.removeSuffix(ending) else null
    }.distinct()
    javaRoots.filter { skip?.containsMatchIn(it.removePrefix("$root/") + "/") != true }.forEach { configuration.addJavaSourceRoot(File(it)) }
    val environment = KotlinCoreEnvironment.createForProduction(Disposer.newDisposable(), configuration,
        EnvironmentConfigFiles.JVM_CONFIG_FILES)
    val files = environment.getSourceFiles()
    val result = TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(environment.project, files,
        NoScopeRecordCliBindingTrace(), configuration, environment::createPackagePartProvider)
    context = result.bindingContext
    for (file in files) packages.getOrPut(file.packageFqName.asString()) { mutableListOf() }.add(pathOf(file)!!)
    val known = HashSet<String>()
    val pairs = HashMap<String, MutableList<String>>()
    for (file in files) {
        val path = pathOf(file)!!
        val isRead = !file.anyDescendantOfType<com.intellij.psi.PsiErrorElement>()
        row("row" to "file", "path" to path, "taken" to isRead)
        for (declaration in file.collectDescendantsOfType<KtNamedDeclaration>()) {
            define(declaration)
            if (kindOf(declaration) != null) declaration.name?.let { known += it }
            val isOfPair = generateSequence<PsiElement>(declaration) { it.parent }.filterIsInstance<KtModifierListOwner>()
                .any { it.hasModifier(KtTokens.EXPECT_KEYWORD) || it.hasModifier(KtTokens.ACTUAL_KEYWORD) }
            if (isOfPair && kindOf(declaration) != null) {
                val place = nameAt(declaration)
                val name = (context.get(BindingContext.DECLARATION_TO_DESCRIPTOR, declaration))?.let { DescriptorUtils.getFqName(it).asString() }
                if (place != null && name != null) pairs.getOrPut(name) { mutableListOf() }.add(place)
            }
        }
    }
    for (places in pairs.values) for (a in places) for (b in places) if (a < b) row("row" to "family", "a" to a, "b" to b)
    for (file in files) {
        imports(file, pathOf(file)!!)
        file.collectDescendantsOfType<KtSimpleNameExpression>().forEach { use(it) }
    }
    val read = taken.map { it.path }.toSet()
    for (file in all) if (file.path !in read) {
        val path = file.path.removePrefix("$root/")
        if (file.extension == "kt") row("row" to "file", "path" to path, "taken" to false)
        unknown(path, file.readText(), known)
    }
    output.flush()
    System.err.println("files ${files.size} errors ${context.diagnostics.count { it.severity.name == "ERROR" }}")
    if (System.getenv("SHOW") != null) context.diagnostics.filter { it.severity.name == "ERROR" }.groupingBy { it.factory.name }.eachCount()
        .entries.sortedBy { -it.value }.take(12).forEach { System.err.println("  ${it.key} ${it.value}") }
    if (System.getenv("SHOW") != null) context.diagnostics.filter { it.factory.name == "UNRESOLVED_REFERENCE" }.groupingBy { it.psiElement.text }.eachCount()
        .entries.sortedBy { -it.value }.take(25).forEach { System.err.println("  ${it.key} ${it.value}") }
    System.exit(0)
}

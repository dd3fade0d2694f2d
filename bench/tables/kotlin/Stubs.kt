// Writes what Kotlin's library declares as stub files: a file for each name of a package.
//
//     Stubs FOLDER JARS PACKAGE...
//
// Needs kotlin-compiler 1.9.25.
import com.intellij.openapi.util.Disposer
import java.io.File
import org.jetbrains.kotlin.builtins.*
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys
import org.jetbrains.kotlin.cli.common.messages.MessageCollector
import org.jetbrains.kotlin.cli.jvm.compiler.*
import org.jetbrains.kotlin.cli.jvm.config.*
import org.jetbrains.kotlin.config.*
import org.jetbrains.kotlin.descriptors.*
import org.jetbrains.kotlin.name.FqName
import org.jetbrains.kotlin.name.Name
import org.jetbrains.kotlin.resolve.*
import org.jetbrains.kotlin.resolve.descriptorUtil.*
import org.jetbrains.kotlin.resolve.scopes.*
import org.jetbrains.kotlin.types.*
import org.jetbrains.kotlin.types.typeUtil.*

fun isShown(visibility: DescriptorVisibility) = visibility == DescriptorVisibilities.PUBLIC || visibility == DescriptorVisibilities.PROTECTED

lateinit var own: FqName  // the package that is written
val imported = sortedSetOf<String>()
var aliased: Name? = null  // the alias that is written: it may be called like what it stands for

fun name(descriptor: ClassifierDescriptor): String {
    if (descriptor is TypeParameterDescriptor) return descriptor.name.asString()
    val parts = generateSequence<DeclarationDescriptor>(descriptor) { it.containingDeclaration }
        .takeWhile { it is ClassifierDescriptor }.map { it.name.asString() }.toList().reversed()
    val outer = generateSequence<DeclarationDescriptor>(descriptor) { it.containingDeclaration }.last { it is ClassifierDescriptor }
    val home = (outer.containingDeclaration as? PackageFragmentDescriptor)?.fqName
    if (home != null && home != own && outer.name == aliased) return home.asString() + "." + parts.joinToString(".")
    if (home != null && home != own && home.asString() !in defaults) imported += "${home.asString()}.${parts.first()}"
    return parts.joinToString(".")
}

val defaults = setOf("kotlin", "kotlin.annotation", "kotlin.collections", "kotlin.comparisons", "kotlin.io", "kotlin.ranges",
    "kotlin.sequences", "kotlin.text", "kotlin.jvm", "java.lang")

fun type(type: KotlinType): String {
    val shown = (type.unwrap() as? FlexibleType)?.upperBound ?: type
    val text = if (shown.isFunctionType || shown.isSuspendFunctionType) {
        val receiver = shown.getReceiverTypeFromFunctionType()?.let { inner(it) + "." } ?: ""
        val parameters = shown.getValueParameterTypesFromFunctionType().joinToString(", ") { projection(it) }
        "$receiver($parameters) -> ${projection(shown.arguments.last())}".let { if (shown.isMarkedNullable) "($it)" else it }
    } else {
        val classifier = shown.constructor.declarationDescriptor ?: return "Any"
        val arguments = shown.arguments.drop(0)
        name(classifier) + if (arguments.isEmpty()) "" else arguments.joinToString(", ", "<", ">") { projection(it) }
    }
    return text + if (shown.isMarkedNullable) "?" else ""
}
fun inner(type: KotlinType) = type(type).let { if (it.contains("->")) "($it)" else it }
fun projection(projection: TypeProjection) = if (projection.isStarProjection) "*" else type(projection.type)

fun typeParameters(parameters: List<TypeParameterDescriptor>): String {
    if (parameters.isEmpty()) return ""
    return parameters.joinToString(", ", "<", ">") { parameter ->
        val bound = parameter.upperBounds.firstOrNull { !it.isNullableAny() }
        parameter.name.asString() + if (bound == null) "" else ": " + type(bound)
    }
}

fun parameters(function: FunctionDescriptor) = function.valueParameters.joinToString(", ", "(", ")") {
    val shown = it.varargElementType ?: it.type
    (if (it.varargElementType != null) "vararg " else "") + ident(it.name.asString()) + ": " + type(shown) +
        if (it.declaresDefaultValue()) " = 0" else ""
}

val hard = setOf("as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null", "object",
    "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var", "when", "while")
fun ident(name: String) = if (name in hard || !name.matches(Regex("[A-Za-z_][A-Za-z_0-9]*"))) "`$name`" else name

fun callable(member: CallableMemberDescriptor): String? {
    if (!isShown(member.visibility) || member.kind != CallableMemberDescriptor.Kind.DECLARATION) return null
    val receiver = member.extensionReceiverParameter?.let { inner(it.type) + "." } ?: ""
    val generic = typeParameters(member.typeParameters)
    val space = if (generic.isEmpty()) "" else "$generic "
    val named = ident(member.name.asString())
    return when (member) {
        is PropertyDescriptor -> {
            val accessor = if (receiver.isEmpty()) "" else " get() = TODO()"
            "${if (member.isVar) "var" else "val"} $space$receiver$named: ${type(member.type)}$accessor"
        }
        is FunctionDescriptor -> {
            val infix = if (member.isInfix) "infix " else ""
            "${infix}fun $space$receiver$named${parameters(member)}: ${type(member.returnType!!)}"
        }
        else -> null
    }
}

fun classText(descriptor: ClassDescriptor, indent: String): String {
    val isInterface = descriptor.kind == ClassKind.INTERFACE
    val word = when (descriptor.kind) {
        ClassKind.INTERFACE -> if (descriptor.isFun) "fun interface" else "interface"
        ClassKind.ENUM_CLASS -> "enum class"
        ClassKind.ANNOTATION_CLASS -> "annotation class"
        ClassKind.OBJECT -> if (descriptor.isCompanionObject) "companion object" else "object"
        else -> (if (descriptor.modality == Modality.ABSTRACT) "abstract " else "") + (if (descriptor.isData) "data " else "") + "class"
    }
    val named = if (descriptor.isCompanionObject && descriptor.name.asString() == "Companion") "" else " " + ident(descriptor.name.asString())
    val primary = descriptor.unsubstitutedPrimaryConstructor
    val hasPrimary = primary != null && isShown(primary.visibility) && descriptor.kind == ClassKind.CLASS && primary.valueParameters.isNotEmpty()
    val members = descriptor.unsubstitutedMemberScope.getContributedDescriptors().toList()
    val declared = HashSet<String>()
    val constructor = if (!hasPrimary) "" else primary!!.valueParameters.joinToString(", ", "(", ")") { parameter ->
        val property = members.filterIsInstance<PropertyDescriptor>().firstOrNull {
            descriptor.isData && it.name == parameter.name && it.extensionReceiverParameter == null }
        if (property != null) declared += property.name.asString()
        val shown = parameter.varargElementType ?: parameter.type
        (if (property != null) "val " else "") + (if (parameter.varargElementType != null) "vararg " else "") +
            ident(parameter.name.asString()) + ": " + type(shown) + if (parameter.declaresDefaultValue()) " = 0" else ""
    }
    val above = descriptor.typeConstructor.supertypes.filter { !it.isAnyOrNullableAny() && (it.constructor.declarationDescriptor as? ClassDescriptor)?.let { c -> isShown(c.visibility) } != false }
        .map { type(it) }
    val head = "$indent$word$named${typeParameters(descriptor.declaredTypeParameters)}$constructor" +
        if (above.isEmpty() || descriptor.kind == ClassKind.ANNOTATION_CLASS) "" else above.joinToString(", ", " : ")
    val lines = mutableListOf<String>()
    if (descriptor.kind == ClassKind.ENUM_CLASS) {
        val entries = members.filterIsInstance<ClassDescriptor>().filter { it.kind == ClassKind.ENUM_ENTRY }
            .map { it.name.asString() }
        lines += "$indent    " + entries.joinToString(", ") + ";"
    }
    for (other in descriptor.constructors) {
        if (other == primary && (hasPrimary || descriptor.kind != ClassKind.CLASS) || !isShown(other.visibility) || other.valueParameters.isEmpty()) continue
        if (descriptor.kind == ClassKind.CLASS) lines += "$indent    constructor${parameters(other)}"
    }
    for (member in members.sortedBy { it.name.asString() }) {
        if (member is CallableMemberDescriptor && member.name.asString() !in declared && member.containingDeclaration == descriptor) {
            // What overrides says nothing new, unless it gives something else.
            val isSame = member.overriddenDescriptors.any { (it.returnType == member.returnType) && it.original.containingDeclaration is ClassDescriptor &&
                (it.containingDeclaration as ClassDescriptor).let { c -> isShown(c.visibility) } }
            if (member.overriddenDescriptors.isNotEmpty() && isSame) continue
            callable(member)?.let { lines += "$indent    " + it + if (member is FunctionDescriptor && !isInterface && member.modality != Modality.ABSTRACT || member is FunctionDescriptor && isInterface && member.modality != Modality.ABSTRACT) " {}" else "" }
        }
        if (member is ClassDescriptor && isShown(member.visibility) && member.kind != ClassKind.ENUM_ENTRY) lines += classText(member, "$indent    ")
    }
    descriptor.companionObjectDescriptor?.let { if (isShown(it.visibility) && it !in members) lines += classText(it, "$indent    ") }
    return if (lines.isEmpty()) head else lines.joinToString("\n", "$head {\n", "\n$indent}")
}

fun main(arguments: Array<String>) {
    val folder = File(arguments[0])
    val configuration = CompilerConfiguration()
    configuration.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.NONE)
    configuration.put(CommonConfigurationKeys.MODULE_NAME, "stubs")
    configuration.configureJdkClasspathRoots()
    configuration.put(JVMConfigurationKeys.JDK_HOME, File(System.getProperty("java.home")))
    configuration.addJvmClasspathRoots(arguments[1].split(':').map { File(it) })
    val environment = KotlinCoreEnvironment.createForProduction(Disposer.newDisposable(), configuration, EnvironmentConfigFiles.JVM_CONFIG_FILES)
    val result = TopDownAnalyzerFacadeForJVM.analyzeFilesWithJavaIntegration(environment.project, emptyList(),
        NoScopeRecordCliBindingTrace(), configuration, environment::createPackagePartProvider)
    var units = 0
    for (path in arguments.drop(2)) {
        own = FqName(path)
        val byName = java.util.TreeMap<String, MutableList<DeclarationDescriptor>>()
        for (descriptor in result.moduleDescriptor.getPackage(own).memberScope.getContributedDescriptors()) {
            if (descriptor is PackageViewDescriptor) continue
            byName.getOrPut(descriptor.name.asString()) { mutableListOf() }.add(descriptor)
        }
        for ((name, descriptors) in byName) {
            imported.clear()
            val lines = linkedSetOf<String>()
            // A class that the language and the platform describe is one: the fuller one.
            descriptors.filterIsInstance<ClassDescriptor>().filter { isShown(it.visibility) }
                .map { classText(it, "") }.maxByOrNull { it.length }?.let { lines += it }
            for (descriptor in descriptors) {
                aliased = (descriptor as? TypeAliasDescriptor)?.name
                when (descriptor) {
                    is TypeAliasDescriptor -> if (isShown(descriptor.visibility))
                        lines += "typealias ${descriptor.name}${typeParameters(descriptor.declaredTypeParameters)} = ${type(descriptor.underlyingType)}"
                    is CallableMemberDescriptor -> callable(descriptor)?.let { lines += it }
                }
            }
            if (lines.isEmpty() || name == "suspend" || !name.matches(Regex("[A-Za-z_][A-Za-z_0-9]*"))) continue
            val file = File(folder, path.replace('.', '/') + "/" + name + ".kt")
            file.parentFile.mkdirs()
            file.writeText("package $path\n" + imported.joinToString("") { "import $it\n" } + lines.joinToString("\n") + "\n")
            ++units
        }
    }
    System.err.println("units $units")
    System.exit(0)
}

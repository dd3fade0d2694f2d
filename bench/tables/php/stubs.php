<?php
// Writes what PHP and its loaded extensions declare as stub files: php stubs.php FOLDER. A class is
// a file of its own with its public and protected members, signatures without bodies; functions.php
// has the functions that give objects.
$folder = $argv[1];
@mkdir($folder, 0777, true);

function type_text(?ReflectionType $type): string
{
    if ($type === null) {
        return '';
    }
    $text = (string) $type;
    // Names are of the global name space, as all of the library is.
    return $text;
}

function parameters_text(ReflectionFunctionAbstract $function): string
{
    $parts = [];
    foreach ($function->getParameters() as $i => $parameter) {
        $type = type_text($parameter->getType());
        $part = $type === '' ? '' : "$type ";
        $part .= $parameter->isPassedByReference() ? '&' : '';
        $part .= ($parameter->isVariadic() ? '...' : '') . '$' . $parameter->getName();
        $part .= $parameter->isOptional() && !$parameter->isVariadic() ? ' = 0' : '';
        $parts[] = $part;
    }
    return implode(', ', $parts);
}

function result_text(ReflectionFunctionAbstract $function): string
{
    $type = type_text($function->getReturnType() ?? $function->getTentativeReturnType());
    return $type === '' ? '' : ": $type";
}

function gives_object(ReflectionFunctionAbstract $function): bool
{
    $type = $function->getReturnType();
    $types = $type instanceof ReflectionUnionType ? $type->getTypes() : ($type ? [$type] : []);
    foreach ($types as $one) {
        if ($one instanceof ReflectionNamedType && !$one->isBuiltin()) {
            return true;
        }
    }
    return false;
}

$names = array_merge(get_declared_classes(), get_declared_interfaces(), get_declared_traits());
sort($names);
foreach ($names as $name) {
    $class = new ReflectionClass($name);
    if (!$class->isInternal() || str_contains($name, '\\')) {
        continue;
    }
    $kind = $class->isInterface() ? 'interface' : ($class->isTrait() ? 'trait' : 'class');
    $head = ($kind === 'class' && $class->isAbstract() ? 'abstract ' : '') . "$kind $name";
    $parent = $class->getParentClass();
    $interfaces = $class->getInterfaceNames();
    $above = $parent ? $parent->getInterfaceNames() : [];
    foreach ($interfaces as $interface) {
        $above = array_merge($above, (new ReflectionClass($interface))->getInterfaceNames());
    }
    $interfaces = array_values(array_diff($interfaces, $above));
    sort($interfaces);
    if ($parent) {
        $head .= ' extends ' . $parent->getName();
    }
    if ($interfaces) {
        $head .= ($kind === 'interface' ? ' extends ' : ' implements ') . implode(', ', $interfaces);
    }
    $lines = [];
    foreach ($class->getReflectionConstants() as $constant) {
        if ($constant->getDeclaringClass()->getName() === $name && !$constant->isPrivate()) {
            $lines[] = "const {$constant->getName()} = 0;";
        }
    }
    foreach ($class->getProperties() as $property) {
        if ($property->getDeclaringClass()->getName() === $name && !$property->isPrivate()) {
            $type = type_text($property->getType());
            $lines[] = ($property->isPublic() ? 'public' : 'protected')
                . ($property->isStatic() ? ' static' : '') . ($type === '' ? '' : " $type") . " \${$property->getName()};";
        }
    }
    foreach ($class->getMethods() as $method) {
        if ($method->getDeclaringClass()->getName() !== $name || $method->isPrivate()) {
            continue;
        }
        $abstract = $method->isAbstract() && $kind !== 'interface' ? 'abstract ' : '';
        $lines[] = $abstract . ($method->isPublic() ? 'public' : 'protected')
            . ($method->isStatic() ? ' static' : '') . " function {$method->getName()}("
            . parameters_text($method) . ')' . result_text($method)
            . ($method->isAbstract() ? ';' : ' {}');
    }
    file_put_contents("$folder/$name.php", "<?php\n$head {\n" . implode("\n", $lines) . "\n}\n");
}

$lines = [];
$functions = get_defined_functions()['internal'];
sort($functions);
foreach ($functions as $name) {
    $function = new ReflectionFunction($name);
    if (!str_contains($name, '\\') && gives_object($function)) {
        $lines[] = "function $name(" . parameters_text($function) . ')' . result_text($function) . ' {}';
    }
}
file_put_contents("$folder/functions.php", "<?php\n" . implode("\n", $lines) . "\n");

// The definitions of a TypeScript or JavaScript file that a question may mean by name: those of the module, of classes,
// interfaces, enums and namespaces in it, keys of its objects and types, and what it assigns to members.

const withoutCasts = (ts, node) => {
  while (node && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))) node = node.expression;
  return node;
};

function isFunction(ts, node) {
  const value = withoutCasts(ts, node);
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

// `require("x")`, `require("x").y`, `require("x")()`.
function isRequired(ts, node) {
  const isRequireCall = (call) => ts.isCallExpression(call) && ts.isIdentifier(call.expression) && call.expression.text === "require";
  while (node && !isRequireCall(node) && (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node))) node = node.expression;
  return node !== undefined && isRequireCall(node);
}

function* boundNames(ts, name) {
  if (ts.isIdentifier(name)) yield name;
  else for (const element of name.elements) if (ts.isBindingElement(element)) yield* boundNames(ts, element.name);
}

/// Returns [{name, qualified, kind, node, isAsked}], `node` being the name's; overloads and accessors of one name once.
/// What is not asked may still be meant by a question about another definition of its name and file.
export function definitionsOf(ts, source) {
  const found = new Map();
  const add = (node, kind, container, isAsked = true) => {
    if (!node || !(ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isStringLiteral(node)) || !node.text) return;
    const qualified = container ? `${container}.${node.text}` : node.text;
    const key = `${qualified}:${kind}`;
    if (!found.has(key)) found.set(key, { name: node.text, qualified, kind, node, isAsked });
  };
  const addMembers = (node, container, isAsked) => {
    for (const member of node.members) {
      if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member)) add(member.name, "method", container, isAsked);
      else if (ts.isPropertyDeclaration(member) || ts.isPropertySignature(member)) {
        add(member.name, isFunction(ts, member.initializer) ? "method" : "property", container, isAsked);
      } else if (ts.isGetAccessor(member) || ts.isSetAccessor(member)) add(member.name, "property", container, isAsked);
      else if (ts.isEnumMember(member)) add(member.name, "enum_member", container, isAsked);
      else if (ts.isConstructorDeclaration(member)) {
        for (const parameter of member.parameters) if (ts.isParameterPropertyDeclaration(parameter, member)) add(parameter.name, "property", container, isAsked);
      }
    }
  };
  const addKeys = (object, container) => {
    for (const member of object.properties) {
      if (ts.isMethodDeclaration(member)) add(member.name, "method", container, false);
      else if (ts.isPropertyAssignment(member)) add(member.name, isFunction(ts, member.initializer) ? "method" : "property", container, false);
      else if (ts.isGetAccessor(member) || ts.isSetAccessor(member)) add(member.name, "property", container, false);
    }
  };
  const addVariable = (variable, container) => {
    const isImport = isRequired(ts, variable.initializer);
    for (const name of boundNames(ts, variable.name)) {
      add(name, name === variable.name && isFunction(ts, variable.initializer) ? "function" : "variable", container, !isImport);
    }
    const value = withoutCasts(ts, variable.initializer);
    if (!value || !ts.isIdentifier(variable.name)) return;
    if (ts.isClassExpression(value)) addMembers(value, variable.name.text, true);
    else if (ts.isObjectLiteralExpression(value)) addKeys(value, variable.name.text);
  };
  // `Class.prototype.name = function`, `exports.name = value`, one or several at once.
  const addAssigned = (expression) => {
    while (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const { left, right } = expression;
      let value = right;
      while (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) value = value.right;
      if (ts.isPropertyAccessExpression(left) && ts.isIdentifier(left.name) && left.expression.getText(source) !== "module") {
        const owner = left.expression.getText(source);
        const isExport = /^(module\.)?exports$/.test(owner);
        const kind = !isFunction(ts, value) ? "property" : isExport ? "function" : "method";
        add(left.name, kind, isExport ? "" : owner.replace(/\.prototype$/, ""), isFunction(ts, value));
      }
      expression = right;
    }
  };
  const visitTypes = (node, container) => {
    if (ts.isTypeLiteralNode(node)) addMembers(node, container, false);
    ts.forEachChild(node, (child) => visitTypes(child, container));
  };
  const visit = (statements, container) => {
    for (const node of statements) {
      if (ts.isFunctionDeclaration(node)) add(node.name, "function", container);
      else if (ts.isClassDeclaration(node)) {
        add(node.name, "class", container);
        addMembers(node, node.name?.text ?? "default", true);
      } else if (ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node)) {
        add(node.name, ts.isEnumDeclaration(node) ? "enum" : "interface", container);
        addMembers(node, node.name.text, true);
      } else if (ts.isTypeAliasDeclaration(node)) {
        add(node.name, "type", container);
        visitTypes(node.type, node.name.text);
      } else if (ts.isModuleDeclaration(node)) {
        const isNamed = ts.isIdentifier(node.name) && !(node.flags & ts.NodeFlags.GlobalAugmentation);
        if (isNamed) add(node.name, "namespace", container);
        let body = node.body;
        while (body && ts.isModuleDeclaration(body)) body = body.body;
        if (body?.statements) visit(body.statements, isNamed ? node.name.text : "");
      } else if (ts.isVariableStatement(node)) node.declarationList.declarations.forEach((each) => addVariable(each, container));
      else if (ts.isExpressionStatement(node)) addAssigned(node.expression);
    }
  };
  visit(source.statements, "");
  return [...found.values()];
}

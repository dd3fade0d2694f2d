// Validates files against the schema that VS Code has for .vscode/mcp.json: node vscode_schema.mjs
// FILE...; prints what is wrong, and fails then.
//
// The schema stands in the workbench's bundle (here of code-server, the same editor) as an
// expression that begins with the examples "mcp-server-time" and ends with the schema of inputs. It
// is evaluated with nothing but itself: texts are empty, and so is what it takes from elsewhere.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import Ajv from "ajv";

const bundle = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)),
       "node_modules/code-server/lib/vscode/out/vs/code/browser/workbench/workbench.js"),
  "utf8");

function schemaOf(text) {
  const examples = text.search(/[\w$]+=\{"mcp-server-time":/);
  const ends = "definitions.inputs}}";
  const end = text.indexOf(ends, examples) + ends.length;
  const expression = text.slice(examples, end);
  const name = expression.match(/.*[,{}]([\w$]+)=\{id:/s)[1];
  const nothing = new Proxy({}, {
    has: (_, key) => typeof key === "string",
    get: (_, key) => key === Symbol.unscopables ? undefined
      : Object.assign(() => "", { definitions: { inputs: {} } }),
  });
  const schema = new Function("nothing", `with (nothing) { let ${expression}; return ${name}; }`)(nothing);
  if (schema.additionalProperties !== false || !schema.properties?.servers) {
    throw new Error("the schema in VS Code's bundle was not found");
  }
  return { ...schema, id: undefined, title: undefined };
}

const schema = JSON.parse(JSON.stringify(schemaOf(bundle)));
const validate = new Ajv({ strict: false, allErrors: true, logger: false }).compile(schema);
// That it says anything at all.
for (const wrong of [{ servers: { a: { comand: "x" } } }, { mcpServers: {} },
                     { servers: { a: { type: "stdio", command: "x", args: "y" } } }]) {
  if (validate(wrong)) throw new Error(`the schema accepts ${JSON.stringify(wrong)}`);
}
for (const file of process.argv.slice(2)) {
  if (!validate(JSON.parse(readFileSync(file, "utf8")))) {
    console.error(file, validate.errors);
    process.exitCode = 1;
  }
}

// The files of a repository.
import fs from "node:fs";
import path from "node:path";

export const isTest = (file) => /(^|\/)(tests?|__tests__|testing|testdata|fixtures?|docs?|_?examples?|benchmarks?|scripts?)\//.test(file) ||
  /(^|\/)(test_[^/]*|[^/]*(_test|\.test|\.spec|Tests?))\.[a-z]+$/.test(file);

export const relativeTo = (root) => (file) => path.relative(root, file).split(path.sep).join("/");

export function listFiles(directory, extensions, found = []) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) listFiles(full, extensions, found);
    else if (entry.isFile() && extensions.some((e) => entry.name.endsWith(e)) && fs.statSync(full).size <= 1 << 20) found.push(full);
  }
  return found;
}

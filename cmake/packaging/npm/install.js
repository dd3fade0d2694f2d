// Puts the programs in the place of their launchers, by a hard link where that can be, so that they start without Node.
"use strict";
const fs = require("fs");
const path = require("path");
const { program_of } = require("./find.js");

for (const name of ["codexmem", "codexmem-hook"]) {
  const launcher = path.join(__dirname, "bin", name);
  const program = program_of(name);
  const next = `${launcher}.new`;
  try {
    fs.rmSync(next, { force: true });
    try {
      fs.linkSync(program, next);
    } catch {
      fs.copyFileSync(program, next);
    }
    fs.chmodSync(next, 0o755);
    fs.renameSync(next, launcher);
  } catch {
    // The launcher stays, and works.
  }
}

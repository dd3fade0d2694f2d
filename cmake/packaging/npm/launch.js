#!/usr/bin/env node
// Starts the program of this name from the package of this platform. install.js puts the program itself in this
// file's place, so that no Node has to start first; this stays where npm runs no scripts.
"use strict";
const path = require("path");
const { spawn } = require("child_process");
const { program_of } = require("../find.js");

const child = spawn(program_of(path.basename(__filename)), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`codexmem: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

import { greet, type Greeting } from "./lib/greet";
import { readFileSync } from "node:fs";

/** Prints a greeting for each name in the file. */
export function main(path: string): Greeting[] {
  const names = readFileSync(path, "utf8").split("\n");
  return names.map((name) => greet(name));
}

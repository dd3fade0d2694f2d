import "./side-effect";
import fallback from "./fallback";
import fallback2, { named, other as renamed, type OnlyType } from "../named";
import * as space from "space";
import type { T1, T2 as T3 } from "./types";
import type Whole from "./whole";
import assert = require("assert");
import { default as again } from "./again";

export { named, renamed as public };
export { remote, remote2 as remote3 } from "./remote";
export type { T1 } from "./types";
export { type T2, plain } from "./mixed";
export * from "./star";
export * as everything from "./everything";
export const one = 1,
  two = 2;
export const { three, four: five } = space;
export default fallback;

async function load() {
  const module = await import("./lazy");
  const { part, other: piece } = await import("./parts");
  import("./fire").then((m) => m.go());
  if (named) await import(computed);
}
let late: import("./typed").Late;

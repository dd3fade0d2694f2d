export enum Color {
  Red,
  Green = "green",
  Blue = Red | 2,
}
const enum Flag {
  A = 1 << 0,
}
export namespace outer {
  export const visible = 1;
  const hidden = Color.Red;
  export function run(): void {
    hidden.toString();
  }
  namespace inner {
    export interface Deep {}
  }
}
namespace a.b.c {
  export let x = outer.visible;
}
declare module "external" {
  export function called(): void;
}
declare global {
  interface Window {
    app: App;
  }
}
import Alias = outer.inner;
export import Other = a.b;

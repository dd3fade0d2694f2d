export interface Shape extends Named, geometry.Area<number> {
  readonly kind: "circle" | "square";
  area(scale?: number): number;
  new (x: number): Shape;
  (y: string): string;
  [key: string]: unknown;
  nested: { inner: Inner; deep(): void };
  get side(): number;
}
export type Id = string | number;
type Mapped<T> = { [K in keyof T]?: Wrapper<T[K]> };
type Unwrap<T> = T extends Promise<infer U> ? Unwrap<U> : T;
type Callback = (error: Error | null, value?: Value) => asserts value is Value;
type Literal = { a: A; b(): B } & Other;
type Query = typeof config.list;
type Imported = import("./remote").Remote;
type Tuple = [first: First, second?: Second];
function isShape(x: unknown): x is Shape {
  return (x as Shape).kind !== undefined && (<Shape>x).kind !== null;
}
const value = { a: 1 } satisfies Config;
let nonNull = maybe!.field!.run();
function generic<const K extends keyof Shape = "kind">(key: K): Shape[K] {}

// Where the keys of a type come from.
type Later<T> = { [K in keyof T]: Promise<T[K]> };
type Handlers<T> = { readonly [K in keyof T as `on${K & string}`]?: (value: T[K]) => void };
type Flags = { [K in 'a' | 'b']: boolean };
type Dictionary = { [key: string]: number };

/**
 * Adds numbers.
 * @param a the first
 */
export function add(a: number, b = 1, ...rest: number[]): number {
  function inner(): Result {
    return outerName(a);
  }
  const helper = async (x: Foo) => x;
  const local = inner();
  let other = helper(local as Foo);
  return sum(a, b, rest, other);
}

export async function* stream() {}
const arrow = <T,>(value: T): T => value;
let expression = function named(n: number): number {
  return n > 0 ? named(n - 1) : 0;
};
// Not documentation.
function overloaded(a: string): string;
function overloaded(a: number): number;
function overloaded(a: unknown): unknown {
  return a;
}
declare function ambient(): void;
export default async function main({ a, b: { c } = {} }: Options = {}, [d, ...e]: string[]) {
  return (() => a + c + d + e)();
}

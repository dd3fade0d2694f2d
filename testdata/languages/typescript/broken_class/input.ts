export class Good {
  method(): void {}
}
class Bad {
  method( {
    return 1;
  }
  other(): void {}

export function after(): number {
  return 2;
}

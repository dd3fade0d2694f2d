export interface Greeting {
  text: string;
}

export class Greeter {
  constructor(private readonly word: string) {}

  /** Says the word to somebody. */
  greet(name: string): Greeting {
    return { text: `${this.word}, ${name}!` };
  }
}

export function greet(name: string): Greeting {
  return new Greeter("Hello").greet(name);
}

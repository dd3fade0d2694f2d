export declare class Api {
  private constructor();
  readonly version: string;
  call(name: string): Promise<Answer>;
  static of(): Api;
}
export declare const VERSION: string;
export declare function connect(url: string): Api;
export declare function connect(url: URL, options?: Options): Api;
export declare type Options = { retries?: number };
declare var globalThing: Api;
export {};

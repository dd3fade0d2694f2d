// Of Svelte, by hand: a store is its value too, since `$count` is read as `count`.
export type Readable<T> = T & { subscribe(run: (value: T) => void): () => void };
export type Writable<T> = T & {
  set(value: T): void;
  update(updater: (value: T) => T): void;
  subscribe(run: (value: T) => void): () => void;
};
export declare function writable<T>(value?: T): Writable<T>;
export declare function readable<T>(value?: T): Readable<T>;
export declare function readonly<T>(store: T): T;
export declare function derived<S, T>(stores: S, from: (values: S) => T): Readable<T>;
export declare function get<T>(store: T): T;
export {};

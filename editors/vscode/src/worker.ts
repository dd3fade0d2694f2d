// worker.ts - the worker's HTTP routes: what the views and the map are made from.
import * as http from "node:http";
import type { Program } from "./program";

export interface Asked {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Place {
  path: string;
  line: number;
}
export interface Neighbour extends Place {
  name: string;
  kind: string;
  callLine?: number;
  count?: number;
  certainty?: string;
}
export interface Test {
  path: string;
  line?: number;
  name?: string;
}
export interface MemoryRecord {
  id: number;
  kind: string;
  type: string;
  title: string;
  text: string;
  createdAt: string;
  stale: boolean;
}
export interface Decision {
  id: string;
  target: string;
  title: string;
  status: string;
  createdAt: string;
  stale: boolean;
}
/** /api/code/file and /api/code/symbol, as far as the views show them. */
export interface FilePage {
  memories: MemoryRecord[];
  decisions: Decision[];
}
export interface SymbolPage extends FilePage {
  symbol: Place & { name: string; qualifiedName: string; kind: string };
  account?: string;
  callers: Neighbour[];
  callees: Neighbour[];
  tests: Test[];
}

/** An open repository: where its page is, and how the worker names it. */
interface Opened {
  page: URL;
  repo: string;
}

export class Worker {
  private readonly opened = new Map<string, Promise<Opened>>();

  /** `during` runs an opening, which may index for a while, and shows it. */
  constructor(private readonly program: Program, private readonly during: <T>(opening: () => Promise<T>) => Promise<T>) {}

  /** Brings the index of `folder` up to date and starts the worker, once; a failure is tried again at the next call. */
  open(folder: string): Promise<Opened> {
    const known = this.opened.get(folder);
    if (known) return known;
    const opening = this.during(() => this.program.run(["open", "--print"], folder)).then((text) => {
      const page = new URL(text.trim().split("\n").at(-1)!);
      return { page, repo: new URLSearchParams(page.hash.split("?")[1]).get("repo") ?? folder };
    });
    this.opened.set(folder, opening);
    opening.catch(() => this.opened.delete(folder));
    return opening;
  }

  /** A route's answer. The worker may have been stopped meanwhile: then it is started once more. */
  async get<T>(folder: string, route: string, parameters: Record<string, string | number>): Promise<T | null> {
    for (const isLast of [false, true]) {
      const { page, repo } = await this.open(folder);
      const query = new URLSearchParams({ repo, ...parameters } as Record<string, string>);
      try {
        const reply = await this.send(page, { path: `${route}?${query}` });
        const text = await textOf(reply);
        if (reply.statusCode === 404) return null;
        if (reply.statusCode !== 200) throw new Error(JSON.parse(text).error ?? `The worker answered ${reply.statusCode}.`);
        return JSON.parse(text) as T;
      } catch (error) {
        if (isLast || (error as NodeJS.ErrnoException).code !== "ECONNREFUSED") throw error;
        this.opened.delete(folder);
      }
    }
    return null;
  }

  /** Sends a request to the worker of `page`; rejects when there is no connection. */
  send(page: URL, asked: Asked, signal?: AbortSignal): Promise<http.IncomingMessage> {
    const token = page.searchParams.get("token");
    const headers = { ...asked.headers, ...(token ? { "X-Codexmem-Token": token } : {}) };
    return new Promise((resolve, reject) => {
      const request = http.request({ host: page.hostname, port: page.port, path: asked.path, method: asked.method ?? "GET", headers, signal }, resolve);
      request.on("error", reject);
      request.end(asked.body);
    });
  }
}

async function textOf(reply: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

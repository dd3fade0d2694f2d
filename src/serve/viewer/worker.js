// worker.js - what the page knows of the worker: requests, the event stream, and whether it is there.

import { msOf } from "./page.js";

class WorkerError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// Of the page's own address, where the worker asks for one (docs/how-it-works.md, "Network").
export const token = new URLSearchParams(location.search).get("token");
const credentials = token ? { "X-Codexmem-Token": token } : {};

// A route with its parameters; empty ones are left out.
export function route(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  return query.size ? `${path}?${query}` : path;
}

export async function ask(path, parameters, { signal, body, text = false, headers = {} } = {}) {
  const options = { signal, headers: { ...credentials, ...headers }, cache: "no-store" };
  if (body !== undefined) {
    options.method = "POST";
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let reply;
  try {
    reply = await fetch(route(path, parameters), options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new WorkerError("The worker does not answer. Is it running? See `codexmem worker status`.", 0);
  }
  const answer = await reply.text();
  if (reply.ok && text) return answer;
  let value = null;
  try { value = JSON.parse(answer); } catch { /* told below */ }
  if (reply.ok && value !== null) return value;
  const told = value?.error?.message ?? value?.error ?? value?.message;
  throw new WorkerError(String(told ?? `The worker answered ${reply.status}.`), reply.status);
}

export const tell = (path, body, headers) => ask(path, {}, { body, headers });

// The event stream, read with fetch: unlike EventSource it can name the last event it saw after a
// worker was restarted or a tab was asleep, and it notices a connection that has gone silent.
class EventStream {
  static SILENCE_MS = 40_000;  // the worker says something every 15 s
  static MAX_WAIT_MS = 8_000;

  #last = "0";  // at first: all that the worker has kept
  #stop = null;
  #wait = 500;
  #listeners = new Set();
  state = "off";  // off, connecting, live, away

  on(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  #emit(name, value) { for (const each of [...this.#listeners]) each(name, value); }
  #become(state) {
    if (state === this.state) return;
    this.state = state;
    this.#emit("state", state);
  }

  start() {
    if (this.#stop) return;
    this.#stop = new AbortController();
    this.#run(this.#stop.signal);
  }
  stop() {
    this.#stop?.abort();
    this.#stop = null;
    this.#become("off");
  }
  async #run(signal) {
    while (!signal.aborted) {
      if (this.state !== "away") this.#become("connecting");
      try {
        await this.#read(signal);
      } catch { /* away; tried again below */ }
      if (signal.aborted) return;
      this.#become("away");
      await new Promise((done) => {
        const timer = setTimeout(done, this.#wait);
        signal.addEventListener("abort", () => { clearTimeout(timer); done(); }, { once: true });
      });
      this.#wait = Math.min(this.#wait * 2, EventStream.MAX_WAIT_MS);
    }
  }

  async #read(signal) {
    const silence = new AbortController();
    const end = () => silence.abort();
    signal.addEventListener("abort", end, { once: true });
    let timer = setTimeout(end, EventStream.SILENCE_MS);
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": this.#last, ...credentials };
      const reply = await fetch("/api/events", { headers, signal: silence.signal, cache: "no-store" });
      if (!reply.ok) throw new WorkerError("no stream", reply.status);
      this.#wait = 500;
      this.#become("live");
      const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(end, EventStream.SILENCE_MS);
        const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) this.#take(block);
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
    }
  }

  #take(block) {
    const event = { kind: "message", id: "", at: Date.now(), data: {} };
    const lines = [];
    for (const line of block.split("\n")) {
      if (line.startsWith("id:")) event.id = line.slice(3).trim();
      else if (line.startsWith("event:")) event.kind = line.slice(6).trim();
      else if (line.startsWith("data:")) lines.push(line.slice(5).trimStart());
    }
    if (event.id) this.#last = event.id;
    if (!lines.length) return;
    try { event.data = JSON.parse(lines.join("\n")); } catch { return; }
    const at = msOf(event.data.at);
    if (!Number.isNaN(at)) event.at = at;
    this.#emit("event", event);
  }
}

export const stream = new EventStream();

// A JSON-RPC peer over a child's pipes: `framed` is LSP's Content-Length framing, else one line a message.
import { spawn } from "node:child_process";

export class Peer {
  constructor(command, commandArguments, { framed, answer, cwd }) {
    this.framed = framed;
    this.answer = answer ?? (() => null);
    this.next = 1;
    this.waiting = new Map();
    this.buffer = Buffer.alloc(0);
    this.child = spawn(command, commandArguments, { stdio: ["pipe", "pipe", "ignore"], cwd });
    this.child.stdout.on("data", (data) => {
      this.buffer = Buffer.concat([this.buffer, data]);
      for (let message; (message = this.take()); ) this.receive(message);
    });
    this.child.on("exit", () => { for (const { reject } of this.waiting.values()) reject(new Error(`${command} ended`)); });
  }
  take() {
    if (!this.framed) {
      const end = this.buffer.indexOf(10);
      if (end < 0) return null;
      const line = this.buffer.subarray(0, end).toString();
      this.buffer = this.buffer.subarray(end + 1);
      return JSON.parse(line);
    }
    const header = this.buffer.indexOf("\r\n\r\n");
    if (header < 0) return null;
    const length = Number(/Content-Length: (\d+)/i.exec(this.buffer.subarray(0, header).toString())[1]);
    if (this.buffer.length < header + 4 + length) return null;
    const body = this.buffer.subarray(header + 4, header + 4 + length).toString();
    this.buffer = this.buffer.subarray(header + 4 + length);
    return JSON.parse(body);
  }
  receive(message) {
    if (message.method && message.id !== undefined) this.send({ jsonrpc: "2.0", id: message.id, result: this.answer(message) });
    else if (message.id !== undefined && this.waiting.has(message.id)) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  }
  send(message) {
    const body = JSON.stringify(message);
    this.child.stdin.write(this.framed ? `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}` : body + "\n");
  }
  request(method, params) {
    const id = this.next++;
    this.send({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
  notify(method, params) { this.send({ jsonrpc: "2.0", method, params }); }
  close() { this.child.kill(); }
}

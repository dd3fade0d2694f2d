"""An OpenAI-compatible /v1/chat/completions on this machine that observes and sums up by rote.

It keeps what it was asked, checks that it was asked as the API wants it, and misbehaves on command:
`server.plan(["429:1", "garbage"])` makes the next answers those, then it is good again. Run by
itself it serves until it is killed, and takes commands over HTTP:
    model_server.py [--port N] [--delay SECONDS] [--plan good,500,xml,...]
    POST /control {"plan": [...], "delay": 0.5}    GET /control -> what it was asked

    good          an answer as asked             401 403 404 408 500 503   that status
    fenced        in a Markdown fence            429[:N]     too many requests, Retry-After N
    chatter       with other words around it     quota       429, insufficient_quota
    thoughts      after <think>...</think>       502         an HTML page
    xml           the XML shape                  garbage     200, and no JSON
    nothing       no observation, no summary     close       the connection, without a word
    odd-type      an invalid type                cut-body    half of the body
    no-usage      without token counts           hang[:N]    nothing, for N seconds (60)
    babble        words instead of JSON          drip[:N]    the body, slowly
    truncated     JSON that ends in the middle   error-200   200, with an error in it
    wrong-shape   another JSON object            refusal     content null, refusal
    null          content null                   no-schema   400 to json_schema
    no-json       400 to any response_format     too-long    400, context_length_exceeded
"""

import argparse
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def problem_of(request):
    """What the API would not take of `request`; None when it is well-formed."""
    if not isinstance(request, dict) or not isinstance(request.get("model"), str):
        return "you must provide a model parameter"
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        return "'messages' is a required property"
    for message in messages:
        if message.get("role") not in ("system", "user", "assistant"):
            return f"invalid role: {message.get('role')}"
        if not isinstance(message.get("content"), str):
            return "content must be a string"
    form = request.get("response_format")
    if form is not None and form.get("type") == "json_schema":
        schema = form.get("json_schema", {})
        if not schema.get("name") or not strict_objects(schema.get("schema")):
            return "Invalid schema for response_format"
    if form is not None and form.get("type") == "json_object":
        if "json" not in json.dumps(messages).lower():
            return "'messages' must contain the word 'json' in some form"
    return None


def strict_objects(schema):
    """True if every object of the schema is closed and requires all it has, as strict mode wants."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            if schema.get("additionalProperties") is not False:
                return False
            if sorted(schema.get("required", [])) != sorted(schema.get("properties", {})):
                return False
        return all(strict_objects(value) for value in schema.values())
    if isinstance(schema, list):
        return all(strict_objects(value) for value in schema)
    return True


def answer_to(request):
    """The content of a good answer: one observation an event, or a summary."""
    data = request["messages"][1]["content"]
    asked = re.search(r"^The user asked:\n(.*)$", data, re.MULTILINE)
    asked = asked[1] if asked else ""
    if '"next_steps"' in request["messages"][0]["content"]:
        seen = re.findall(r"^- \[\w+\] (.*)$", data, re.MULTILINE)
        return {"skip": False, "request": asked, "investigated": "", "learned": "the model's lesson",
                "completed": "; ".join(seen)[:500], "next_steps": "", "notes": ""}
    observations = []
    for number, tool in re.findall(r"^Event (\d+): (.*)$", data, re.MULTILINE):
        short = re.search(rf"^Event {number}: .*\nIn short: (.*)$", data, re.MULTILINE)
        observations.append({
            "type": "change", "title": f"Model saw {tool}: {short[1] if short else ''}"[:200],
            "subtitle": "seen by the model", "narrative": "It was seen by the model.",
            "facts": ["a fact of the model"], "concepts": ["what-changed"], "files_read": [],
            "files_modified": [], "outcome": "none", "events": [int(number)]})
    return {"observations": observations}


def to_xml(answer):
    if "observations" not in answer:
        fields = "".join(f"<{name}>{value}</{name}>" for name, value in answer.items()
                         if name != "skip")
        return f"<summary>{fields}</summary>"
    return "\n".join(
        "<observation><type>{type}</type><title>{title}</title><subtitle>{subtitle}</subtitle>"
        "<facts><fact>{facts[0]}</fact></facts><narrative>{narrative}</narrative>"
        "<concepts><concept>{concepts[0]}</concept></concepts></observation>".format(**one)
        for one in answer["observations"])


class ModelServer:
    def __init__(self, port=0, delay=0.0):
        self.delay = delay  # of each answer, seconds
        self.requests = []  # (JSON, what was done), in the order of their coming
        self.keys = set()
        self.problems = []  # requests that the API would not take
        self.planned = []
        self.lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.serve(self)

            def do_GET(self):
                with outer.lock:
                    state = {"requests": [request for request, _ in outer.requests],
                            "did": [did for _, did in outer.requests],
                            "problems": outer.problems, "planned": outer.planned}
                outer.send(self, 200, state if self.path == "/control" else {"object": "list", "data": []})

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_):  # a client that is gone
                pass

        self.http = Server(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()

    def plan(self, behaviours):
        with self.lock:
            self.planned = list(behaviours)

    def did(self):
        with self.lock:
            return [did for _, did in self.requests]

    def forget(self):
        with self.lock:
            self.requests = []

    def send(self, handler, status, body, headers=(), sent=None):
        out = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(out)))
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(out if sent is None else out[:sent])
        handler.wfile.flush()

    def serve(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        if handler.path == "/control":
            command = json.loads(body)
            if "plan" in command:
                self.plan(command["plan"])
            self.delay = command.get("delay", self.delay)
            return self.send(handler, 200, {})
        try:
            request = json.loads(body)
            problem = problem_of(request)
        except ValueError:
            request, problem = {}, "we could not parse the JSON body"
        with self.lock:
            behaviour = self.planned.pop(0) if self.planned else "good"
            self.requests.append((request, behaviour))
            self.keys.add(handler.headers.get("Authorization"))
            if problem:
                self.problems.append(problem)
        time.sleep(self.delay)
        if handler.path != "/v1/chat/completions":
            return self.refuse(handler, 404, "Invalid URL")
        if problem:
            return self.refuse(handler, 400, problem)
        try:
            self.behave(handler, request, *behaviour.split(":", 1))
        except OSError:
            pass

    def refuse(self, handler, status, message, code=None, headers=()):
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
        self.send(handler, status, {"error": error}, headers)

    def behave(self, handler, request, behaviour, argument=""):
        form = request.get("response_format", {}).get("type")
        answer = answer_to(request)
        content, finish, usage, refusal = json.dumps(answer), "stop", True, None
        if behaviour == "429":
            return self.refuse(handler, 429, "Rate limit reached", "rate_limit_exceeded",
                               [("Retry-After", argument or "1")])
        if behaviour == "quota":
            return self.refuse(handler, 429, "You exceeded your current quota", "insufficient_quota")
        if behaviour == "502":
            return self.send(handler, 502, b"<html><body>502 Bad Gateway</body></html>")
        if behaviour.isdigit():
            return self.refuse(handler, int(behaviour), f"status {behaviour} as requested")
        if behaviour == "no-schema" and form == "json_schema":
            return self.refuse(handler, 400, "response_format json_schema is not supported")
        if behaviour == "no-json" and form is not None:
            return self.refuse(handler, 400, "response_format is not supported")
        if behaviour == "too-long":
            return self.refuse(handler, 400, "This model's maximum context length is 4096 tokens",
                               "context_length_exceeded")
        if behaviour == "garbage":
            return self.send(handler, 200, b"\x00\xff%%% this is no JSON")
        if behaviour == "error-200":
            return self.send(handler, 200, {"error": {"message": "upstream failed", "code": 503}})
        if behaviour == "close":
            handler.close_connection = True
            return handler.connection.shutdown(2)
        if behaviour == "hang":
            time.sleep(float(argument or 60))
            handler.close_connection = True
            return None
        if behaviour == "fenced":
            content = f"```json\n{content}\n```"
        elif behaviour == "chatter":
            content = f"Certainly! Here you {{are}}:\n\n{content}\n\nAnything else?"
        elif behaviour == "thoughts":
            content = f"<think>\nThe user wants {{json}}.\n</think>\n{content}"
        elif behaviour == "xml":
            content = to_xml(answer)
        elif behaviour == "nothing":
            content = '{"observations": []}' if "observations" in answer else '{"skip": true}'
        elif behaviour == "odd-type":
            for one in answer.get("observations", []):
                one["type"] = "miracle"
            content = json.dumps(answer)
        elif behaviour == "babble":
            content = "I am afraid there is little to say about these events."
        elif behaviour == "truncated":
            content, finish = content[: len(content) // 2], "length"
        elif behaviour == "wrong-shape":
            content = '{"reply": "done", "ok": true}'
        elif behaviour == "null":
            content = None
        elif behaviour == "refusal":
            content, refusal = None, "I can't help with that."
        elif behaviour == "no-usage":
            usage = False
        message = {"role": "assistant", "content": content, "refusal": refusal}
        prompt_tokens = sum(len(one["content"]) for one in request["messages"]) // 4
        reply_tokens = len(content or "") // 4 + 1
        body = {"id": "chatcmpl-test", "object": "chat.completion", "created": int(time.time()),
                "model": request["model"],
                "choices": [{"index": 0, "message": message, "logprobs": None,
                             "finish_reason": finish}]}
        if usage:
            body["usage"] = {"prompt_tokens": prompt_tokens, "completion_tokens": reply_tokens,
                             "total_tokens": prompt_tokens + reply_tokens}
        out = json.dumps(body).encode()
        if behaviour == "cut-body":
            self.send(handler, 200, out, sent=len(out) // 2)
            handler.close_connection = True
            return handler.connection.shutdown(2)
        if behaviour == "drip":
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(out)))
            handler.end_headers()
            for at in range(0, len(out), max(1, len(out) // 20)):
                handler.wfile.write(out[at:at + max(1, len(out) // 20)])
                handler.wfile.flush()
                time.sleep(float(argument or 1) / 20)
            return None
        return self.send(handler, 200, out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--plan", default="")
    options = parser.parse_args()
    server = ModelServer(options.port, options.delay)
    server.plan([one for one in options.plan.split(",") if one])
    print(server.url, flush=True)
    server.thread.join()

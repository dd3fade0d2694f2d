"""A model that says what a test wants: OpenAI's Responses API and Anthropic's Messages API, streamed.

The steps of a turn are a list: {"tool": name, "input": object or text} or {"text": ...}. The request
itself gives the next step: the number of tools that have answered since the last prompt. So requests
may come twice, and from several sessions.
"""

import http.server
import json
import threading


def text_of(content):
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content or [] if isinstance(block, dict))


class ScriptedModel:
    """`steps_of(prompt)` gives the steps for the last prompt; `requests` are the bodies that came."""

    def __init__(self, steps_of):
        self.steps_of = steps_of
        self.requests = []
        self.lock = threading.Lock()
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def reply(self, body, kind):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_HEAD(self):
                self.reply(b"", "application/json")

            def do_GET(self):
                self.reply(b'{"data":[],"models":[]}', "application/json")

            def do_POST(self):
                text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                try:
                    body = json.loads(text)
                except ValueError:
                    body = {}
                path = self.path.partition("?")[0]
                with model.lock:
                    model.requests.append((path, body))
                if path.endswith("/responses"):
                    events = model.answer_responses(body)
                elif path.endswith("/messages"):
                    events = model.answer_messages(body)
                else:
                    return self.reply(b"{}", "application/json")
                if not body.get("stream"):
                    return self.reply(json.dumps(model.whole_message(events)).encode(),
                                      "application/json")
                lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                                for event in events)
                self.reply(lines.encode(), "text/event-stream")

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def step(self, prompt, answered):
        steps = self.steps_of(prompt)
        return answered, steps[min(answered, len(steps) - 1)]

    def answer_responses(self, body):
        """Codex."""
        prompt, answered = "", 0
        for item in body.get("input", []):
            if item.get("type") == "message" and item.get("role") == "user":
                prompt, answered = text_of(item.get("content")), 0
            elif item.get("type", "").endswith("_call_output"):
                answered += 1
        number, step = self.step(prompt, answered)
        call = {"id": f"item_{number}", "call_id": f"call_{number}", "name": step.get("tool")}
        if "text" in step:
            item = {"type": "message", "id": f"item_{number}", "role": "assistant",
                    "content": [{"type": "output_text", "text": step["text"]}]}
        elif isinstance(step["input"], str):
            item = {"type": "custom_tool_call", **call, "input": step["input"]}
        else:
            item = {"type": "function_call", **call, "arguments": json.dumps(step["input"])}
        usage = {"input_tokens": 10, "input_tokens_details": None, "output_tokens": 5,
                 "output_tokens_details": None, "total_tokens": 15}
        return [{"type": "response.created", "response": {"id": f"resp_{number}"}},
                {"type": "response.output_item.done", "output_index": 0, "item": item},
                {"type": "response.completed", "response": {"id": f"resp_{number}", "usage": usage}}]

    def answer_messages(self, body):
        """Claude Code."""
        prompt, answered = "", 0
        for message in body.get("messages", []):
            if message.get("role") != "user":
                continue
            content = message.get("content")
            results = [block for block in content if isinstance(content, list)
                       and block.get("type") == "tool_result"]
            if results:
                answered += len(results)
            else:
                prompt, answered = text_of(content), 0
        # Without tools it is asked for a title or the like.
        number, step = self.step(prompt, answered) if body.get("tools") else (0, {"text": "ok"})
        if "text" in step:
            block = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": step["text"]}
        else:
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": step["tool"], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(step["input"])}
        reason = "end_turn" if "text" in step else "tool_use"
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "content": [],
                   "model": body.get("model", "m"), "stop_reason": None, "stop_sequence": None,
                   "usage": {"input_tokens": 10, "output_tokens": 1}}
        return [{"type": "message_start", "message": message},
                {"type": "content_block_start", "index": 0, "content_block": block},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
                 "usage": {"output_tokens": 5}},
                {"type": "message_stop"}]

    @staticmethod
    def whole_message(events):
        message = dict(events[0].get("message", {}))
        if message:
            block = dict(events[1]["content_block"])
            delta = events[2]["delta"]
            if block["type"] == "text":
                block["text"] = delta["text"]
            else:
                block["input"] = json.loads(delta["partial_json"])
            message.update(content=[block], stop_reason=events[4]["delta"]["stop_reason"])
        return message

"""An OpenAI-compatible /v1/embeddings on this machine, whose vectors are hashed bags of words.

It keeps the requests that it gets, and misbehaves on command. Run by itself it serves until it is
killed:
    embedding_server.py [--port N] [--dimension N] [--delay SECONDS]
"""

import argparse
import base64
import hashlib
import json
import re
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def vector_of(text, dimension):
    vector = [0.001] * dimension
    for word in re.findall(r"[a-z]+", text.lower()):
        vector[int(hashlib.md5(word.encode()).hexdigest(), 16) % dimension] += 1.0
    return vector


class EmbeddingServer:
    def __init__(self, port=0, dimension=64):
        self.dimension = dimension
        self.delay = 0.0  # of each answer, seconds
        self.status = 200  # of all answers
        self.accept = None  # answer so many requests, then 503
        self.as_floats = False
        self.requests = []  # lists of texts, in the order of their coming
        self.answered = []  # texts
        self.keys = set()
        self.lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.answer(self)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_):  # a client that was killed
                pass

        self.http = Server(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()

    def forget(self):
        with self.lock:
            self.requests, self.answered = [], []

    def answer(self, handler):
        request = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        texts = request["input"]
        with self.lock:
            self.requests.append(texts)
            self.keys.add(handler.headers.get("Authorization"))
            refused = self.accept is not None and len(self.requests) > self.accept
        time.sleep(self.delay)
        status = 503 if refused else self.status
        if handler.path != "/v1/embeddings":
            status = 404
        body = {"error": {"message": "as requested"}}
        if status == 200:
            data = []
            for index, text in enumerate(texts):
                vector = vector_of(text, self.dimension)
                if not self.as_floats:
                    vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
                data.append({"object": "embedding", "index": index, "embedding": vector})
            body = {"object": "list", "data": data, "model": request["model"]}
        out = json.dumps(body).encode()
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(out)))
            handler.end_headers()
            handler.wfile.write(out)
        except OSError:
            return
        if status == 200:
            with self.lock:
                self.answered += texts

    def sent(self):
        with self.lock:
            return [text for texts in self.requests for text in texts]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dimension", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0)
    options = parser.parse_args()
    server = EmbeddingServer(options.port, options.dimension)
    server.delay = options.delay
    print(server.url, flush=True)
    server.thread.join()

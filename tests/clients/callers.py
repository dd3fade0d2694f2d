#!/usr/bin/env python3
"""Ten callers of one `codexmem serve` while it indexes everything again and files change.

  tests/clients/callers.py --program build/tsan/bin/codexmem --seconds 60

Meant for ThreadSanitizer (docs/security.md): all threads are in one process. The callers ask with every
tool, without waiting for each other; one of them has all files read again, over and over, and takes
back every other one of these requests. Asserted: every question has an answer, none an internal
error, and the server ends well.
"""

import argparse
import collections
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

CALLERS = 10


def source(number, version):
    other = (number * 7 + 1) % 40
    if number % 2:
        return (f"import {{ C{other} }} from './m{other}';\n/** Keeps part {number}. */\n"
                f"export class C{number} extends C{other} {{\n"
                f"  run{version}(x: number) {{ return new C{other}().run{version}(x) + {version}; }}\n"
                "}\n") * (1 + version % 3)
    return (f"from .m{other} import f{other}\n\n\ndef f{number}(value):\n"
            f'    """Counts and sorts, version {version}."""\n'
            f"    return f{other}(value) + f{number}(value - 1)\n") * (1 + version % 3)


class Callers:
    def __init__(self, program, root, seconds, seed):
        self.root = root
        self.end = time.monotonic() + seconds
        self.random = random.Random(seed)
        self.counts = collections.Counter()
        self.failures = []
        self.numbers = itertools.count(1)
        self.answers = {}
        self.arrived = threading.Condition()
        for number in range(40):
            self.write(number, 0)
        self.errors = tempfile.TemporaryFile()
        self.child = subprocess.Popen([program, "serve", root], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=self.errors)
        threading.Thread(target=self.read, daemon=True).start()
        self.receive(self.send("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "callers", "version": "1"}}))
        self.notify("notifications/initialized", {})

    def path(self, number):
        return f"pkg/m{number}.{'ts' if number % 2 else 'py'}"

    def write(self, number, version):
        path = self.root / self.path(number)
        path.parent.mkdir(exist_ok=True)
        path.write_text(source(number, version))

    def notify(self, method, parameters, **more):
        line = json.dumps({"jsonrpc": "2.0", **more, "method": method, "params": parameters})
        with self.arrived:
            self.child.stdin.write(line.encode() + b"\n")
            self.child.stdin.flush()

    def send(self, method, parameters):
        number = next(self.numbers)
        self.notify(method, parameters, id=number)
        return number

    def read(self):
        for line in self.child.stdout:
            message = json.loads(line)
            with self.arrived:
                if "id" in message:
                    self.answers[message["id"]] = message
                self.arrived.notify_all()
        with self.arrived:
            self.answers[None] = "the server has ended"
            self.arrived.notify_all()

    def receive(self, number):
        with self.arrived:
            self.arrived.wait_for(lambda: number in self.answers or None in self.answers, 300)
            if number not in self.answers:
                raise RuntimeError(f"no answer to request {number}")
            return self.answers.pop(number)

    def call(self, tool, arguments, cancel=False):
        number = self.send("tools/call", {"name": tool, "arguments": arguments,
                                          "_meta": {"progressToken": f"p{tool}"}})
        if cancel:
            time.sleep(0.01)
            self.notify("notifications/cancelled", {"requestId": number})
            self.counts["cancelled"] += 1
            return
        text = json.dumps(self.receive(number))
        if "internal error" in text:
            raise RuntimeError(f"{tool} {arguments}: {text}")
        self.counts[tool] += 1

    def ask(self, chance):
        number = chance.randrange(40)
        self.call(*chance.choice([
            ("search_code", {"query": f"what keeps and counts part {number}"}),
            ("find_symbol", {"symbol": f"C{number}"}),
            ("find_symbol", {"symbol": f"run{chance.randrange(9)}x"}),
            ("get_references", {"symbol": f"f{number}"}),
            ("analyze_dependencies", {"file_path": self.path(number), "depth": 5}),
            ("get_context", {"file_path": self.path(number)}),
        ]))

    def turns(self, caller):
        chance = random.Random(caller)
        try:
            for turn in itertools.count():
                if self.failures or time.monotonic() > self.end:
                    return
                if caller == 0:
                    self.call("index_repository", {"force": True}, cancel=turn % 2 == 1)
                else:
                    self.ask(chance)
        except Exception as failure:  # of any kind: the thread must report it
            self.failures.append(f"caller {caller}: {failure!r}")

    def edit(self):
        while not self.failures and time.monotonic() < self.end:
            number = self.random.randrange(44)
            if number >= 40:
                (self.root / f"pkg/new{number}.py").write_text("x = 1\n")
            elif number % 9 == 8:
                (self.root / self.path(number)).unlink(missing_ok=True)
            else:
                self.write(number, self.random.randrange(9))
            self.counts["edits"] += 1
            time.sleep(0.03)

    def run(self):
        threads = [threading.Thread(target=self.turns, args=(i,)) for i in range(CALLERS)]
        threads.append(threading.Thread(target=self.edit))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.child.stdin.close()
        try:
            code = self.child.wait(60)
        except subprocess.TimeoutExpired:
            self.child.kill()
            code = "none: it did not end"
        if code != 0:
            self.failures.append(f"exit code {code}")
        self.errors.seek(0)
        output = self.errors.read().decode(errors="replace")
        for failure in self.failures:
            print(failure, file=sys.stderr)
        if self.failures or "Sanitizer" in output:
            print(output[-20000:], file=sys.stderr)
            return 1
        print(dict(self.counts))
        return 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-callers-") as folder:
        os.environ["CODEXMEM_LOG"] = "error"
        program = str(pathlib.Path(given.program).resolve())
        return Callers(program, pathlib.Path(folder).resolve(), given.seconds, given.seed).run()


if __name__ == "__main__":
    sys.exit(main())

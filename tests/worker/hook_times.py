#!/usr/bin/env python3
"""How long hooks take, from the start of their process to its end, in milliseconds.

  tests/worker/hook_times.py --programs build/release/bin [--runs 200] [--json]

Both programs, codexmem-hook and `codexmem hook`, with a worker that answers, without one, and with one that takes connections and never answers (it is
stopped with SIGSTOP). Each with a data directory of its own. --limit-ms makes it a test: the
exit code is 1 when the p90 of any row is more than that. --large measures answers of tools
that are long instead, 10 runs each.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

EVENTS = {
    "session-init": {"hook_event_name": "UserPromptSubmit", "prompt": "Make the cart's total right"},
    "observation": {
        "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "npm test -- cart"},
        "tool_response": {"stdout": "".join(f"ok {n} - cart test number {n}\n" for n in range(150)),
                          "exit_code": 0}},
    "summarize": {"hook_event_name": "Stop", "last_assistant_message": "The total is right. " * 40},
    "context": {"hook_event_name": "SessionStart", "source": "startup"},
}


LINE = "src/cart/total_%d.ts: ok - the cart's total \"is\" right <b>%d</b>\n"
LARGE = {size: "".join(LINE % (n, n) for n in range(size // 60))
         for size in (2_000, 100_000, 1_000_000, 13_500_000)}


class Worker:
    """`codexmem worker run` on a port of its own."""

    def __init__(self, programs, data):
        environment = dict(os.environ, CODEXMEM_DATA_DIR=str(data), CODEXMEM_PROVIDER="rule-based")
        self.child = subprocess.Popen(
            [programs / "codexmem", "worker", "run", "--port", "0"], env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            status = subprocess.run([programs / "codexmem", "worker", "status", "--json"],
                                    env=environment, capture_output=True)
            if status.returncode == 0 and json.loads(status.stdout).get("ready"):
                return
            time.sleep(0.1)
        raise RuntimeError("the worker was not ready after a minute")

    def close(self):
        self.child.send_signal(signal.SIGCONT)
        self.child.terminate()
        self.child.wait(60)


def percentile(times, share):
    return times[min(len(times) - 1, int(len(times) * share))]


def measure(command, event, fields, runs, data, folder):
    environment = dict(os.environ, CODEXMEM_DATA_DIR=str(data))
    times = []
    for run in range(runs):
        text = json.dumps({"session_id": f"s{run % 7}", "cwd": str(folder),
                           "tool_use_id": f"{event}-{run}", **fields}).encode()
        begin = time.perf_counter()
        done = subprocess.run([*command, "claude-code", event], input=text, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        times.append((time.perf_counter() - begin) * 1000)
        if done.returncode != 0 or not json.loads(done.stdout):
            raise RuntimeError(f"{command} {event}: exit code {done.returncode}, {done.stdout}")
    return sorted(times)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--programs", required=True, type=pathlib.Path)
    arguments.add_argument("--runs", type=int, default=200)
    arguments.add_argument("--program", action="append",
                           help='"codexmem-hook" or "codexmem hook"; both when it is not given')
    arguments.add_argument("--large", action="store_true")
    arguments.add_argument("--limit-ms", type=float)
    arguments.add_argument("--json", action="store_true")
    given = arguments.parse_args()
    programs = given.programs.resolve()
    events = [(event, event, fields, given.runs) for event, fields in EVENTS.items()]
    if given.large:
        events = [(f"{size} bytes", "observation",
                   {"tool_name": "Bash", "tool_input": {"command": "npm test"},
                    "tool_response": {"stdout": text}}, 10) for size, text in LARGE.items()]
    rows = []
    turns = [(program, state) for program in given.program or ["codexmem-hook", "codexmem hook"]
             for state in ("up", "down", "hanging")]
    for program, state in turns:
        name, *words = program.split()
        command = [str(programs / name), *words]
        with tempfile.TemporaryDirectory(prefix="codexmem-hooks-") as folder:
            data = pathlib.Path(folder) / "data"
            project = pathlib.Path(folder) / "shop"
            (project / ".git").mkdir(parents=True)
            worker = Worker(programs, data) if state != "down" else None
            try:
                if state == "hanging":
                    worker.child.send_signal(signal.SIGSTOP)
                for label, event, fields, runs in events:
                    times = measure(command, event, fields, runs, data, project)
                    rows.append({"program": program, "worker": state, "event": label,
                                 "runs": len(times), "p50": percentile(times, 0.5),
                                 "p90": percentile(times, 0.9), "p99": percentile(times, 0.99),
                                 "most": times[-1]})
                    row = rows[-1]
                    print(json.dumps(row) if given.json else
                          f"{program:13} {state:8} {label:14} {len(times):4} runs:"
                          f" p50 {row['p50']:6.1f}  p90 {row['p90']:6.1f}  p99 {row['p99']:6.1f}"
                          f"  most {row['most']:6.1f}", flush=True)
            finally:
                if worker:
                    worker.close()
                shutil.rmtree(data, ignore_errors=True)
    slow = [row for row in rows if given.limit_ms and row["p90"] > given.limit_ms]
    for row in slow:
        print(f"p90 of {row['program']} {row['event']} with the worker {row['worker']}: {row['p90']:.1f} ms, more than"
              f" {given.limit_ms:.0f}", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())

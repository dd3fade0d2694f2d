#!/usr/bin/env python3
"""bench/turns.py TREE PROGRAM...: what a save, a start and the dearest questions cost programs, in turn.

Each program gets its own copy of TREE, a git repository, next to it (TREE.NAME), and a store of its own. Printed
are processor times in milliseconds, medians where not said otherwise, and a hash of all answers.
"""
import hashlib, json, os, pathlib, random, resource, shutil, sqlite3, statistics, subprocess, sys, time

from mcp_client import Server

ROUNDS = 11


def tree_of(tree, program):
    return tree.with_name(f"{tree.name}.{program.name}")


def shell(program, root, *words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *words], cwd=root, stdout=subprocess.DEVNULL,
                          env=dict(os.environ, CODEXMEM_DATA_DIR=str(root) + ".data"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 1), (program, words)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


class Asked:
    """A server, and the processor time of its threads."""

    def __init__(self, program, root):
        self.server = Server(program, str(root) + ".data", root=root)

    def cpu_ms(self):
        tasks = pathlib.Path(f"/proc/{self.server.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6

    def ask(self, tool, arguments, answers):
        before = self.cpu_ms()
        answer = self.server.call(tool, arguments)
        assert not answer.get("isError"), answer
        answers.update(json.dumps(answer, sort_keys=True).encode())
        return self.cpu_ms() - before


def questions(root):
    store = sqlite3.connect(root / ".codexmem/index.db")
    files = [row[0] for row in store.execute(
        "SELECT path FROM files WHERE language IN ('python', 'typescript', 'php', 'go') ORDER BY size DESC, path LIMIT 12")]
    names = [row[0] for row in store.execute(
        "SELECT name FROM symbols GROUP BY name ORDER BY count(*) DESC, name LIMIT 60")]
    symbols = store.execute("SELECT f.path, s.name FROM symbols AS s JOIN files AS f ON f.id = s.file_id"
                            " WHERE f.language IN ('python', 'typescript', 'php', 'go') ORDER BY s.id").fetchall()
    store.close()  # codexmem does not share its files with another program
    drawn = random.Random(5).sample(symbols, min(60, len(symbols)))
    yield "analyze_dependencies, depth 10", "analyze_dependencies", [{"file_path": f, "depth": 10} for f in files]
    yield "get_references, commonest names", "get_references", [{"symbol_name": name} for name in names]
    yield "get_context", "get_context", [{"file_path": f} for f in files] + [
        {"file_path": path, "symbol_name": name} for path, name in drawn]


def main():
    tree, programs = pathlib.Path(sys.argv[1]).resolve(), [pathlib.Path(each).resolve() for each in sys.argv[2:]]
    for program in programs:
        if not tree_of(tree, program).exists():
            shutil.copytree(tree, tree_of(tree, program), symlinks=True, ignore=shutil.ignore_patterns(".codexmem"))
            subprocess.run(["git", "status"], cwd=tree_of(tree, program), stdout=subprocess.DEVNULL, check=True)
        shell(program, tree_of(tree, program), "index", "--quiet")
    rows = {}
    edited = next(questions(tree_of(tree, programs[0])))[2][-1]["file_path"]
    for _ in range(ROUNDS):
        for program in programs:
            root = tree_of(tree, program)
            rows.setdefault((program, "nothing changed"), []).append(shell(program, root, "index", "--quiet"))
            with open(root / edited, "a", encoding="utf-8") as file:
                file.write("\n")
            time.sleep(0.05)
            rows.setdefault((program, "one file changed"), []).append(shell(program, root, "index", "--quiet"))
            rows.setdefault((program, "symbol"), []).append(shell(program, root, "symbol", "Basic"))
            asked = Asked(program, root)
            asked.ask("find_symbol", {"name": "Basic"}, hashlib.sha256())
            rows.setdefault((program, "server start to first answer"), []).append(asked.cpu_ms())
            asked.server.close()
    for (program, what), times in sorted(rows.items(), key=lambda row: row[0][1]):
        print(f"{what:32} {program.name:12} {statistics.median(times):7.1f}")
    for program in programs:
        root, answers = tree_of(tree, program), hashlib.sha256()
        for what, tool, calls in questions(root):
            asked = Asked(program, root)
            times = sorted(asked.ask(tool, call, answers) for call in calls)
            asked.server.close()
            print(f"{what:32} {program.name:12} {statistics.median(times):7.1f}  p90 {times[len(times) * 9 // 10]:.0f}"
                  f"  worst {times[-1]:.0f}")
        print(f"{'answers':32} {program.name:12} {answers.hexdigest()[:16]}")


if __name__ == "__main__":
    main()

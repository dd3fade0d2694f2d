"""Repositories that are meant to break an indexer.

Each is a row of TREES: name -> function that fills the folder `root` (a Path). hostile_test.py has the
expected results. `scale` is 1 in the quick test; the slow one takes more.
Run by itself it writes them: trees.py FOLDER [SCALE].
"""
import os
import pathlib
import random
import socket
import sys


def write(root, path, text):
    path = os.path.join(os.fsencode(root), os.fsencode(path))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def good(root):
    """Files that must be found, whatever else is in the folder."""
    write(root, "good/keep.ts", "import { helper } from './helper';\n"
                                "export function keepMe() { return helper(); }\n")
    write(root, "good/helper.ts", "export function helper() { return 1; }\n")


def links(root, scale):
    outside = pathlib.Path(str(root) + ".outside")
    write(outside, "secret.ts", "export function secretOutside() {}\n")
    write(outside, "folder/deep.ts", "export function deepOutside() {}\n")
    os.symlink("loop_b", root / "loop_a")
    os.symlink("loop_a", root / "loop_b")
    os.symlink(".", root / "self")
    os.symlink("..", root / "good" / "up")
    os.symlink(outside / "secret.ts", root / "out.ts")
    os.symlink(outside / "folder", root / "out_folder")
    os.symlink("nowhere.ts", root / "dangling.ts")
    os.symlink("/proc/self/root", root / "magic")
    os.symlink("/dev/zero", root / "zero.ts")
    os.symlink("good/keep.ts", root / "alias.ts")


def many_files(root, scale):
    for i in range(1000 * scale):
        write(root, "d%d/e%d/f%d.ts" % (i % 50, i // 50 % 40, i),
              "import { f%d } from '../e%d/f%d';\nexport function f%d() { return f%d(); }\n"
              % (i - 1, i // 50 % 40, i - 1, i, i - 1))


def deep_folders(root, scale):
    """500 folders of 60 bytes in one another: the path has 30,000 bytes, PATH_MAX is 4,096."""
    here = os.open(root, os.O_RDONLY)
    for level in range(500):
        name = "%03d_" % level + "d" * 56
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        here = below
        if level % 50 == 0:
            file = os.open("level%d.ts" % level, os.O_CREAT | os.O_WRONLY, dir_fd=here)
            os.write(file, b"export function level%d() {}\n" % level)
            os.close(file)
    os.close(here)


def shallow_but_many(root, scale):
    for i in range(300 * scale):
        os.makedirs(root / ("w%d" % i) / "a" / "b" / "c")


def names(root, scale):
    for name in [b"new\nline.ts", b"tab\there.ts", b"quote\"s'.ts", b"back\\slash.ts", b"-rf.ts",
                 b"--force", b"bell\x07.ts", b"esc\x1b[31mred.ts", b"invalid\xff\xfe.ts",
                 b"half\xc3.ts", "emoji\U0001F600.ts".encode(), b"a" * 252 + b".ts",
                 b"Case.ts", b"case.ts", b"CASE.ts", b" space .ts", b"...", b"..ts", b"~.ts",
                 b"$(touch pwned).ts", b"`touch pwned`.ts", b";rm.ts", b"%s%n.ts", b"{}.ts",
                 b"*.ts", b"?.ts", b"[a].ts", b"!bang.ts", b"#hash.ts", b"c:\\x.ts", b"nul.ts",
                 "é.ts".encode(), "e\u0301.ts".encode(), "\u202egnp.ts".encode(),
                 b"\xed\xa0\x80.ts", b"folder\nbreak/in.ts", b"in\xffvalid/in.ts"]:
        write(root, name, "export function inOddName() {}\n")


def special_files(root, scale):
    os.mkfifo(root / "fifo.ts")
    os.mkfifo(root / ".gitignore")
    os.mkfifo(root / "good" / ".codexmemignore")
    os.mkfifo(root / "tsconfig.json")
    os.mkfifo(root / "package.json")
    os.mkfifo(root / "pyproject.toml")
    here = os.getcwd()
    os.chdir(root)  # a socket's name is short
    server = socket.socket(socket.AF_UNIX)
    server.bind("socket.ts")
    os.chdir(here)
    server.close()
    if os.geteuid() == 0:
        os.mknod(root / "device.ts", 0o600 | 0o020000, os.makedev(1, 5))  # /dev/zero
        os.mknod(root / "block.ts", 0o600 | 0o060000, os.makedev(7, 250))


def config_folders(root, scale):
    for name in [".gitignore", ".codexmemignore", "tsconfig.json", "package.json", "jsconfig.json",
                 "pnpm-workspace.yaml", "pyproject.toml", "setup.cfg", ".git"]:
        write(root, name + "/inside.ts", "export function insideConfigFolder() {}\n")


def config_links(root, scale):
    for name in [".gitignore", ".codexmemignore", "tsconfig.json", "package.json",
                 "pyproject.toml"]:
        os.symlink("/dev/zero", root / name)
    os.symlink("/dev/zero", root / "good" / "tsconfig.json")
    os.symlink("/dev/zero", root / "good" / "package.json")
    os.symlink("/etc/passwd", root / "good" / ".gitignore")


def config_huge(root, scale):
    size = 3 << 20
    write(root, ".gitignore", "nothing-%s\n" % ("x" * 50) * (size // 60))
    write(root, "good/.gitignore", b"*" * size)
    write(root, "tsconfig.json", '{"compilerOptions":{"paths":{' +
          ",".join('"a%d/*":["b%d/*"]' % (i, i) for i in range(30000)) + "}}}")
    write(root, "package.json", '{"name":"x","workspaces":[' +
          ",".join('"p%d/*"' % i for i in range(30000)) + '],"exports":{' +
          ",".join('"./e%d":"./f%d.js"' % (i, i) for i in range(20000)) + "}}")
    write(root, "deep/tsconfig.json", "[" * 500000)
    write(root, "deep/package.json", '{"exports":' + '{"a":' * 100000 + "1" + "}" * 100000 + "}")
    write(root, "deep/pyproject.toml", "[" * 500000)
    write(root, "deep/a.ts", "import 'x';\nexport function inDeep() {}\n")


def ignore_patterns(root, scale):
    rows = ["pattern-%d-*[a-z]?/**/x*y*z" % i for i in range(4000 * scale)]
    rows += ["*a" * 60 + "b", "**/" * 200 + "x", "[" * 500, "\\" * 501, "!" * 99, "/" * 99]
    write(root, ".gitignore", "\n".join(rows) + "\n")
    for i in range(400):
        write(root, "src/%s%d.ts" % ("a" * 80, i), "export function ignored%d() {}\n" % i)


def git_files(root, scale):
    outside = pathlib.Path(str(root) + ".outside")
    outside.mkdir(exist_ok=True)
    write(root, ".git", "gitdir: %s/nowhere\n" % outside)
    write(root, "a/.git", "gitdir: ../../../../../../etc\n")
    write(root, "b/.git", b"gitdir: \0\xff\n")
    write(root, "c/.git", "gitdir: .\n")
    write(root, "d/.git", "gitdir: " + "x" * 100000)
    os.mkdir(root / "e")
    os.mkfifo(root / "e" / ".git")
    write(root, "f/.git/HEAD", "ref: refs/heads/../../../../etc/passwd\n")
    write(root, "f/.git/config", "[core]\n\tworktree = /\n\texcludesFile = /dev/zero\n"
                                 "\tfsmonitor = touch pwned\n[include]\n\tpath = config\n")
    write(root, "f/.git/objects/x", "")
    write(root, "f/.git/refs/x", "")
    write(root, "f/.git/index", b"DIRC\0\0\0\2\xff\xff\xff\xff")
    write(root, "f/.git/info/exclude", "*.py\n")
    for name in "abcdef":
        write(root, name + "/%s.ts" % name, "export function in_%s() {}\n" % name)


def config_cycles(root, scale):
    write(root, "tsconfig.json", '{"extends":"./tsconfig.b.json","compilerOptions":{"paths":{"@/*":["./src/*"]}}}')
    write(root, "tsconfig.b.json", '{"extends":["./tsconfig.json","./tsconfig.b.json","../../../../etc/passwd"]}')
    write(root, "self/tsconfig.json", '{"extends":"./tsconfig.json","references":[{"path":"."}]}')
    write(root, "self/a.ts", "import { b } from '@/b';\nimport 'self';\nimport 'one';\n")
    write(root, "src/b.ts", "export * from './c';\nexport function b() {}\n")
    write(root, "src/c.ts", "export * from './b';\nexport { missing } from './b';\n"
                            "import { missing } from './b';\nmissing();\n")
    write(root, "package.json", '{"name":"self","main":"./package.json","exports":{".":"./self",'
                                '"./*":"./*"},"imports":{"#a":"#b","#b":"#a"},"workspaces":["*","."]}')
    write(root, "one/package.json", '{"name":"one","main":"../two","dependencies":{"two":"*"}}')
    write(root, "two/package.json", '{"name":"two","main":"../one","dependencies":{"one":"*"}}')
    write(root, "py/a.py", "from .b import *\nfrom .a import *\nimport py.a\nclass A(A): pass\n")
    write(root, "py/b.py", "from .a import *\nfrom . import b\nclass B(C): pass\nclass C(B): pass\n")
    chain = 300
    for i in range(chain):
        write(root, "chain/m%d.ts" % i, "export * from './m%d';\n" % ((i + 1) % chain))


def changing(root, scale):
    """For the mangler of hostile_test.py."""
    for i in range(300 * scale):
        write(root, "src/d%d/f%d.ts" % (i % 10, i),
              "".join("export function f%d_%d() { return %d; }\n" % (i, j, j) for j in range(30)))


def unreadable(root, scale):
    write(root, "closed.ts", "export function inClosed() {}\n")
    write(root, "locked/in.ts", "export function inLocked() {}\n")
    os.chmod(root / "closed.ts", 0)
    os.chmod(root / "locked", 0)


def sources(root, scale):
    from sources import SOURCES
    for name, make in SOURCES.items():
        write(root, "src/" + name, make(500 * scale))


def crowded(root, scale):
    """Files that are nothing but symbols or imports; of a megabyte each when `scale` is 5 or more."""
    def some(n):
        return range(n * min(scale, 5) // 5)
    write(root, "symbols.py", "".join("a%x=0\n" % i for i in some(120000)))
    write(root, "symbols.ts", "enum E {" + ",".join("a%x" % i for i in some(150000)) + "}\n")
    write(root, "same.py", "a=0\n" * len(some(250000)))
    write(root, "imports.py", "".join("import a%x\n" % i for i in some(70000)))
    write(root, "imports.ts", "".join('import "./%x";\n' % i for i in some(60000)))
    write(root, "nested.ts", "class A{m(){" * len(some(70000)) + "}}" * len(some(70000)))
    write(root, "reads.js", ";".join(["a"] * len(some(500000))))
    random.seed(1)
    write(root, "random.ts", bytes(random.randrange(32, 127) for _ in some(200000)))
    write(root, "binary.ts", bytes(random.randrange(1, 256) for _ in some(200000)))


TREES = {tree.__name__: tree for tree in [
    links, many_files, deep_folders, shallow_but_many, names, special_files, config_folders,
    config_links, config_huge, ignore_patterns, git_files, config_cycles, changing, unreadable,
    sources, crowded]}


def build(name, root, scale=1):
    root = pathlib.Path(root)
    root.mkdir(parents=True)
    good(root)
    TREES[name](root, scale)


if __name__ == "__main__":
    for tree in TREES:
        build(tree, pathlib.Path(sys.argv[1]) / tree, int(sys.argv[2]) if len(sys.argv) > 2 else 1)

#!/usr/bin/env python3
"""Usage: exact_against_rg.py CODEXMEM ROOT...

Compares the lines that exact parts of a question match with those that ripgrep finds in the same
files. Each ROOT is copied, indexed by the program CODEXMEM and asked every query below; the set of
(file, line) must be the one of `rg`. Files whose text had to be repaired (other encodings, bytes that
are no UTF-8) are left out. Prints what differs and how long the questions took; fails if anything
differs.
"""
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

# As they stand in a question.
QUERIES = r'''
"import"
"TODO"
"todo"
"Error("
"return self."
"=>"
"a"
"Z"
"};"
"  "
"."
"\d"
"((("
"é"
"中文"
"…"
"İ"
"ſ"
"straße"
"K"
"©"
"not in any of these files, surely"
"async function"
"createContext"
"x = x"
"{}"
"/i"
"\""
/import/
/^import\b/
/^\s*def \w+\(/
/^class [A-Z]\w*(\(|:)/
/function\s+use[A-Z]\w+/
/\bconst\b.*=>/
/[Tt]odo|FIXME|XXX/
/todo/i
/ERROR/i
/k/i
/s[^a-z]k/i
/^$/
/^\s+$/
/\s+$/
/;$/
/\)\s*\{$/
/^/
/$/
/./
/^.{120,}$/
/^.{0,3}$/
/\d{4}-\d{2}-\d{2}/
/0x[0-9a-fA-F]+/
/[^\x00-\x7F]/
/\p{Lu}\p{Ll}+\p{Lu}/
/\p{Han}/
/\w+\s*=\s*\w+\(/
/\W\W\W\W/
/[\w.]+@[\w.]+\.\w+/
/[\S]{60,}/
/[^\s]\t/
/\t/
/\r/
/\r$/
/"[^"]*"/
/'\w+'/
/`[^`]+`/
/\\n/
/\//
/https?:\/\/[^\s)]+/
/[/]{2}/
/a|b/
/(foo|bar)(baz)?/
/(?i)warning/
/(?:self|this)\.\w+\.\w+\(/
/\bif\b.*\belse\b/
/\bname\b/
/\b(true|false)\b/
/^import\b/
/x*/
/[]]/
/[^]]\]/
/[a-c&&b]?q/
/[[:upper:]]{5,}/
/[[:^ascii:]]/
/\x41\x42/
/\x69mport/
/retur[mn]s? [a-z]+;?$/
/colou?r/
/(un)?defined/
/[[:alpha:]_]name =/
/(a+)+b/
/é|è|ü/
/É/i
/\d\w\d/
/^[^\w\s]+$/
/_\w+_/
/\.\.\./
/qq|zz|jj/
/lo{2,3}/
/A.*?B/
/\Aimport/
/\z/
'''.strip().split('\n')

REPAIRED = 2  # files.flags


def arguments(query):
    """What ripgrep is given for a query of one part."""
    if query.startswith('"'):
        return ['--smart-case', '--fixed-strings', '-e', query[1:-1].replace('\\"', '"')]
    flags = ['--ignore-case'] if query.endswith('i') else ['--case-sensitive']
    return flags + ['-e', query[1:query.rindex('/')].replace('\\/', '/')]


def ripgrep(root, query, paths):
    command = ['rg', '--no-config', '--text', '--no-heading', '--with-filename', '--line-number', '--null',
               '--color=never', '--sort=path', *arguments(query), '--', *paths]
    run = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if run.returncode == 2:
        return None, run.stderr.decode(errors='replace').strip()
    lines = set()
    for line in run.stdout.split(b'\n'):
        path, found, rest = line.partition(b'\0')
        if found:
            lines.add((path.decode(), int(rest[:rest.index(b':')])))
    return lines, ''


def ours(program, root):
    run = subprocess.run([program, 'debug', 'match', '\n'.join(QUERIES)], cwd=root, stdout=subprocess.PIPE,
                         check=True)
    answers, times = [], []
    for line in run.stdout.decode().splitlines():
        if line.startswith('# '):
            answers.append(set())
            times.append((float(line.rsplit(', ', 1)[1][:-3]), line[2:]))
        else:
            path, _, number = line.rpartition(':')
            answers[-1].add((path, int(number)))
    return answers, times


def compare(program, root):
    subprocess.run([program, 'index', '.'], cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True)
    with sqlite3.connect(root / '.codexmem/index.db') as store:
        rows = store.execute('SELECT path, flags, line_count FROM files ORDER BY path').fetchall()
    paths = [path for path, flags, _ in rows if not flags & REPAIRED]
    wanted = set(paths)
    answers, times = ours(program, root)
    differing = skipped = 0
    for query, answer in zip(QUERIES, answers):
        want, refusal = ripgrep(root, query, paths)
        if want is None:
            skipped += 1
            print(f'  ripgrep refuses {query}: {refusal.splitlines()[-1]}')
            continue
        got = {(path, line) for path, line in answer if path in wanted}
        if got != want:
            differing += 1
            print(f'  {query}: {len(got)} lines, ripgrep has {len(want)}; only here '
                  f'{sorted(got - want)[:3]}, only there {sorted(want - got)[:3]}')
    milliseconds = sorted(time for time, _ in times)
    print(f'  {len(paths)} files, {sum(row[2] for row in rows)} lines, {len(QUERIES)} queries, {skipped} that '
          f'ripgrep refuses, {differing} differ; median {statistics.median(milliseconds):.1f} ms, p90 '
          f'{milliseconds[len(milliseconds) * 9 // 10]:.1f} ms; slowest: {max(times)[1]}')
    return differing


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]).resolve()
    differing = 0
    for given in sys.argv[2:]:
        print(given)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / 'repository'
            shutil.copytree(given, root, symlinks=True, ignore=shutil.ignore_patterns('.codexmem', 'node_modules'))
            differing += compare(program, root)
    sys.exit(1 if differing else 0)


main()

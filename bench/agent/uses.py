#!/usr/bin/env python3
"""Every place where a symbol must change, by the compiler: its definitions are renamed, and then each place at which
the compiler does not know the old name, until it has no complaint.

    uses.py TREE NAME "CHECK" FILE:LINE...

CHECK runs in TREE (a clone that may be changed) and prints FILE:LINE:COLUMN or FILE:[LINE,COLUMN] for each error.
Prints FILE:LINE of each place."""
import re
import subprocess
import sys

AT = re.compile(r"^(?:\[ERROR\] |vet: )?(?:\./)?([^\s:(]+\.\w+)[:(]\[?(\d+)[:,](\d+)(.*)", re.M)


def main():
    tree, name, check, *definitions = sys.argv[1:]
    new, places = name + "Qzx", set()
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")

    files = subprocess.run(["git", "ls-files"], cwd=tree, capture_output=True, text=True).stdout.split()

    def rename(path, line, column=None):
        if path not in files:  # javac says the file's name alone
            path = next((file for file in files if file.endswith("/" + path)), None)
        if path is None:
            return False
        file = f"{tree}/{path}"
        with open(file, encoding="utf-8") as text:
            lines = text.read().split("\n")
        hits = [m for m in word.finditer(lines[line - 1]) if column is None or m.end() >= column]
        if not hits:
            return False
        at = min(hits, key=lambda m: abs(m.start() + 1 - (column or 1)))
        lines[line - 1] = lines[line - 1][:at.start()] + new + lines[line - 1][at.end():]
        with open(file, "w", encoding="utf-8") as text:
            text.write("\n".join(lines))
        places.add((path, line))
        return True

    for definition in definitions:
        path, line = definition.rsplit(":", 1)
        rename(path, int(line))
    for _ in range(40):
        done = subprocess.run(check, shell=True, cwd=tree, capture_output=True, text=True)
        out = (done.stdout + done.stderr).replace(f"{tree}/", "")
        errors = {(m[1], int(m[2]), int(m[3])) for m in AT.finditer(out)
                  if word.search(m[4]) and "implicitly" not in m[4]}
        changed = [rename(*error) for error in sorted(errors, reverse=True)]
        if not any(changed):
            if done.returncode:
                print(out[-1500:], file=sys.stderr)
            break
    for path, line in sorted(places):
        print(f"{path}:{line}")


main()

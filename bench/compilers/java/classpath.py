#!/usr/bin/env python3
"""Prints the class path that the modules of a Maven repository need from outside it.

    classpath.py DIR [group:artifact:version ...]

All dependencies of all modules, of every scope, are given to one project, which Maven resolves; where a module wants
another version, the first one counts, and what no repository has is left out. Further coordinates are for
repositories that Maven does not build.
"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as Tree

NAMESPACE = "{http://maven.apache.org/POM/4.0.0}"


def run(folder, *arguments):
    """What Maven said when it failed, else ""."""
    done = subprocess.run(["mvn", "-q", "-B", *arguments], cwd=folder, capture_output=True, text=True)
    sys.stderr.write(done.stdout)
    return done.stdout or "failed" if done.returncode else ""


def text(node, name):
    found = node.find(NAMESPACE + name)
    return found.text.strip() if found is not None and found.text else ""


def reactors(root):
    """Folders with a pom.xml that have none above them."""
    for folder, folders, files in os.walk(root):
        if "pom.xml" in files:
            folders.clear()
            yield folder


def effective(folder, out):
    """The projects of a reactor with all that they inherit."""
    if run(folder, "help:effective-pom", "-Doutput=" + out):
        return []
    root = Tree.parse(out).getroot()
    return [root] if root.tag.endswith("project") else list(root)


def write_project(path, wanted):
    dependencies = "".join(
        f"<dependency><groupId>{g}</groupId><artifactId>{a}</artifactId><version>{v}</version>"
        + (f"<classifier>{c}</classifier>" if c else "") + f"<type>{t}</type></dependency>"
        for (g, a, c, t), v in wanted.items())
    with open(path, "w", encoding="utf-8") as pom:
        pom.write('<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
                  "<groupId>x</groupId><artifactId>x</artifactId><version>1</version>"
                  f"<dependencies>{dependencies}</dependencies></project>")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root = os.path.abspath(sys.argv[1])
    wanted = {}
    with tempfile.TemporaryDirectory() as scratch:
        projects = [p for folder in reactors(root) for p in effective(folder, scratch + "/effective.xml")]
        own = {(text(p, "groupId"), text(p, "artifactId")) for p in projects}
        for coordinate in sys.argv[2:]:
            group, artifact, version = coordinate.split(":")
            wanted[group, artifact, "", "jar"] = version
        for project in projects:
            for d in project.findall(f"{NAMESPACE}dependencies/{NAMESPACE}dependency"):
                key = (text(d, "groupId"), text(d, "artifactId"), text(d, "classifier"), text(d, "type") or "jar")
                if key[:2] not in own and text(d, "scope") != "system" and key[3] in ("jar", "test-jar"):
                    wanted.setdefault(key, text(d, "version"))
        out = scratch + "/classpath"
        while wanted:
            write_project(scratch + "/pom.xml", wanted)
            failure = run(scratch, "dependency:build-classpath", "-Dmdep.outputFile=" + out)
            if not failure:
                with open(out, encoding="utf-8") as classpath:
                    print(classpath.read().strip())
                break
            missing = {tuple(m.split(":")[:2]) for m in re.findall(r"artifact ([\w.-]+:[\w.-]+):", failure)}
            left = {key: version for key, version in wanted.items() if key[:2] not in missing}
            if len(left) == len(wanted):
                sys.exit("Maven could not resolve the dependencies")
            wanted = left


if __name__ == "__main__":
    main()

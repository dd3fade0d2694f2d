#!/usr/bin/env python3
"""Packs a folder of stub files into the archive that src/graph/core/library_units.h describes.

    pack.py FOLDER EXTENSION ARCHIVE

A file FOLDER/net/http.go is the unit "net/http". Equal folders give equal archives. Needs the
program zstd.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

GROUP_BYTES = 65536  # of text, before compression; a larger unit is a group of its own


def frame(data):
    # From a file, so that the frame says how much it holds.
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return subprocess.run(
            ["zstd", "--ultra", "-22", "--no-check", "-q", "-c", file.name],
            check=True, stdout=subprocess.PIPE).stdout


def number(value):
    return struct.pack("<I", value)


def main():
    folder, extension, archive = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    units = sorted(
        (path.relative_to(folder).as_posix().removesuffix(extension).encode(), path.read_bytes())
        for path in folder.rglob("*" + extension))
    groups = [[]]
    size = 0
    for name, text in units:
        if groups[-1] and size + len(text) > GROUP_BYTES:
            groups.append([])
            size = 0
        groups[-1].append((name, text))
        size += len(text)
    frames = [frame(b"".join(text for _, text in group)) for group in groups]
    directory = number(len(groups)) + b"".join(number(len(f)) for f in frames)
    for group in groups:
        directory += number(len(group))
        directory += b"".join(name + b"\0" + number(len(text)) for name, text in group)
    directory = frame(directory)
    with open(archive, "wb") as out:
        out.write(b"CMXLIB01" + number(len(directory)) + directory + b"".join(frames))
    print(f"{archive}: {len(units)} units in {len(groups)} groups, "
          f"{sum(len(text) for _, text in units)} bytes of text, "
          f"{pathlib.Path(archive).stat().st_size} packed")


main()

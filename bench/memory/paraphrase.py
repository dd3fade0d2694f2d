#!/usr/bin/env python3
"""Questions over notes through the server: in other words, two keywords of each note, and about nothing in them.

  paraphrase.py --codexmem PROGRAM --notes FILE [--questions FILE] [--foreign FILE] [--limit 10]

FILEs hold a line each: notes {"id", "text"}, questions {"question", "answer": the note's id}, foreign plain texts.
The keywords are the two rarest words of a note. Notes are saved as an assistant would save them, nothing is configured.
"""
import argparse, collections, json, os, re, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from mcp_client import Server

STOP = set("""a an and are as at be by do does for from has have how if in into is it its not of on or our so than that the their then
there these they this to up was we were what when where which while who why will with you your""".split())


def keywords(notes):
    """For each note its two rarest words, in their order."""
    words = [list(dict.fromkeys(re.findall(r"[A-Za-z0-9_]{2,}", note["text"]))) for note in notes]
    held = collections.Counter(word.lower() for of_one in words for word in {w.lower() for w in of_one})
    asked = []
    for note, of_one in zip(notes, words):
        rare = sorted((w for w in of_one if w.lower() not in STOP), key=lambda w: held[w.lower()])[:2]
        asked.append((" ".join(w for w in of_one if w in rare), note["id"]))
    return asked


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--codexmem", required=True)
    parser.add_argument("--notes", required=True)
    parser.add_argument("--questions")
    parser.add_argument("--foreign")
    parser.add_argument("--limit", type=int, default=10)
    options = parser.parse_args()
    notes = [json.loads(line) for line in open(options.notes)]
    with tempfile.TemporaryDirectory() as directory:
        server = Server(options.codexmem, directory + "/data")
        note_of = {}
        for note in notes:
            saved = server.call("save_memory", {"text": note["text"], "project": "notes"})["structuredContent"]
            note_of[str(saved["id"])] = note["id"]

        def ask(name, asked):
            firsts, times = collections.Counter(), []
            for question, answer in asked:
                began = time.perf_counter()
                found = server.call("search", {"query": question, "project": "notes",
                                               "limit": options.limit})["structuredContent"]
                times.append((time.perf_counter() - began) * 1000)
                ranked = [note_of.get(str(item["id"])) for item in found.get("items", [])]
                firsts[0] += not ranked
                firsts[-1] += "nothing matched well" in found.get("note", "")
                for k in (1, 5, 10):
                    firsts[k] += answer is not None and answer in ranked[:k]
            n, times = len(asked), sorted(times)
            print(f"{name}: {n} questions over {len(notes)} notes: recall@1 {firsts[1] / n:.3f}  @5 {firsts[5] / n:.3f}  "
                  f"@10 {firsts[10] / n:.3f}  empty {firsts[0] / n:.3f}  said to be weak {firsts[-1] / n:.3f}  "
                  f"p50 {times[n // 2]:.1f} ms")

        ask("keywords", keywords(notes))
        if options.questions:
            asked = [json.loads(line) for line in open(options.questions)]
            ask("in other words", [(one["question"], one["answer"]) for one in asked])
        if options.foreign:
            ask("about nothing", [(line.strip(), None) for line in open(options.foreign) if line.strip()])
        server.close()


if __name__ == "__main__":
    main()

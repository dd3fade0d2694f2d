#!/usr/bin/env python3
"""Recall on public conversations through the server: each turn saved, each question searched.

  locomo.py --codexmem PROGRAM --data DIRECTORY --run FILE [--words-only] [--conversations N]

DIRECTORY holds docs.jsonl ({id, conv, speaker, text, caption}) and questions.jsonl ({qid, conv, question}), a line each.
FILE gets {"qid", "ranked"} a line. Turns are saved as an assistant would save them, in their order, without their dates.
"""
import argparse, json, os, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from mcp_client import Server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--codexmem", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--run", required=True)
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--conversations", type=int, default=0)
    options = parser.parse_args()
    docs = [json.loads(line) for line in open(f"{options.data}/docs.jsonl")]
    questions = [json.loads(line) for line in open(f"{options.data}/questions.jsonl")]
    kept = list(dict.fromkeys(doc["conv"] for doc in docs))
    if options.conversations:
        kept = kept[:options.conversations]
    environment = {"CODEXMEM_EMBEDDING_PROVIDER": "none"} if options.words_only else {}
    with tempfile.TemporaryDirectory() as directory:
        server = Server(options.codexmem, directory + "/data", environment)
        doc_of = {}
        began = time.time()
        for doc in docs:
            if doc["conv"] not in kept:
                continue
            text = f'{doc["speaker"]}: {doc["text"]}'
            if doc.get("caption"):
                text += f' [{doc["caption"]}]'
            saved = server.call("save_memory", {"text": text, "project": doc["conv"]})["structuredContent"]
            if "id" in saved:
                doc_of.setdefault(str(saved["id"]), doc["id"])
            else:
                print("not saved:", saved)
        print(f"{len(doc_of)} turns saved in {time.time() - began:.1f} s")
        times = []
        with open(options.run, "w") as run:
            for question in questions:
                if question["conv"] not in kept:
                    continue
                began = time.perf_counter()
                found = server.call("search", {"query": question["question"], "project": question["conv"],
                                               "limit": 10})["structuredContent"]
                times.append((time.perf_counter() - began) * 1000)
                ranked = [doc_of[str(item["id"])] for item in found["items"] if str(item["id"]) in doc_of]
                run.write(json.dumps({"qid": question["qid"], "ranked": ranked}) + "\n")
        times.sort()
        print(f"{len(times)} questions, p50 {times[len(times) // 2]:.1f} ms, p90 {times[len(times) * 9 // 10]:.1f} ms")
        server.close()


if __name__ == "__main__":
    main()

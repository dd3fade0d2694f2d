"""How good a model is alone, without the rest of the program's ranking.

    evaluate.py --notes DIR [--locomo DIR] [--code DIR] [--kit DIR] [--encoder DIR] [--documented LANG:TREE...] -- MODEL.cxm...

--notes: folder with notes.jsonl and questions-dev.jsonl (recall@1 and @5 by cosine, and by cosine + 0.3 x coverage, coverage being the idf share of
the question's content stems that the note has). --locomo: folder with docs.jsonl and questions.jsonl (recall@10 of turns in their conversation).
--code: folder of docstring sets as docstring_set.py makes them (in --kit); all functions and classes of the code files are ranked by cosine of the
question and the words of signature and body: mean reciprocal rank, hit@1, hit@5. --documented asks for all documented functions of whole
trees, without their docstrings. --encoder also measures the sentence encoder on the notes.
Needs numpy and snowballstemmer.
"""
import argparse
import collections
import glob
import json
import math
import os
import re
import sys

import numpy as np
import snowballstemmer

from cxm import STOP, Model, words

stemmer = snowballstemmer.stemmer("porter")


def lines(path):
    return [json.loads(x) for x in open(path)]


def stems(text):
    found = words(text)
    return {stemmer.stemWord(w) for w in [w for w in found if w not in STOP] or found}


def coverage(notes, questions):
    """Matrix of the idf share of each question's stems that each note has."""
    have = [stems(n) for n in notes]
    df = collections.Counter(s for h in have for s in h)
    idf = lambda s: math.log(1 + len(notes) / max(df[s], 0.5))
    out = np.zeros((len(questions), len(notes)), np.float32)
    for i, q in enumerate(questions):
        ask = stems(q)
        total = sum(map(idf, ask))
        for j, h in enumerate(have):
            out[i, j] = sum(idf(s) for s in ask & h) / total
    return out


class Notes:
    def __init__(self, folder):
        self.notes = [n["text"] for n in lines(os.path.join(folder, "notes.jsonl"))]
        asked = lines(os.path.join(folder, "questions-dev.jsonl"))
        self.questions = [q["question"] for q in asked]
        self.answers = np.array([q["answer"] for q in asked])
        self.coverage = coverage(self.notes, self.questions)

    def score(self, q, n):
        """recall@1, @5 by cosine, the same with coverage, and the mean reciprocal rank with coverage."""
        out = []
        for s in (q @ n.T, q @ n.T + 0.3 * self.coverage):
            rank = (s > s[np.arange(len(q)), self.answers][:, None]).sum(1)
            out += [float((rank < 1).mean()), float((rank < 5).mean())]
        return out + [float((1 / (1 + rank)).mean())]

    def run(self, model):
        return self.score(np.array([model.embed_query(q) for q in self.questions]), np.array([model.embed_doc(n) for n in self.notes]))


class Locomo:
    def __init__(self, folder):
        self.docs, self.asked = collections.defaultdict(list), collections.defaultdict(list)
        for d in lines(os.path.join(folder, "docs.jsonl")):
            self.docs[d["conv"]].append((d["id"], d["speaker"] + ": " + d["text"] + (" " + d["caption"] if d["caption"] else "")))
        for q in lines(os.path.join(folder, "questions.jsonl")):
            if not q["adversarial"]:
                self.asked[q["conv"]].append((q["question"], set(q["evidence"])))

    def run(self, model):
        got = []
        for conv, docs in self.docs.items():
            d = np.array([model.embed_doc(t) for _, t in docs])
            for text, evidence in self.asked[conv]:
                top = np.argsort(-(d @ model.embed_query(text)), kind="stable")[:10]
                got.append(len({docs[i][0] for i in top} & evidence) / len(evidence))
        return float(np.mean(got))


class Code:
    def __init__(self, folder, kit):
        sys.path.insert(0, kit)
        import docstring_set as ds
        self.sets = []
        for tree in sorted(glob.glob(os.path.join(folder, "*", "tree"))):
            name = os.path.basename(os.path.dirname(tree))
            rows = lines(os.path.join(folder, name + ".jsonl"))
            units = []
            for path in ds.walk(tree, ds.EXT[rows[0]["lang"]]):
                if ds.NOT_DRAWN.search(path):
                    continue
                text = ds.read(os.path.join(tree, path)).replace("\r\n", "\n")
                body = text.split("\n")
                for first, last in self.definitions(ds, rows[0]["lang"], text, body):
                    units.append((path, first, last, collections.Counter(words("\n".join(body[first - 1:last])))))
            asked = []
            for r in rows:
                # the definition that begins at the line of the name
                hit = [i for i, u in enumerate(units) if u[0] == r["path"] and u[1] == r["line"]]
                if hit:
                    asked.append((r["query"], hit[0]))
            self.sets.append((name, [u[3] for u in units], asked, len(rows)))

    @staticmethod
    def definitions(ds, lang, text, body):
        if lang == "python":
            import ast
            for n in ast.walk(ast.parse(text)):
                if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    yield n.lineno, n.end_lineno
            return
        pattern = {"typescript": ds.TS, "go": ds.GO, "rust": ds.RUST}[lang]
        for i, line in enumerate(body):
            m = pattern.match(line)
            if m and not (lang == "typescript" and m["m"] and (m["m"] in ds.NOT_METHOD or not m["i"] or not line.rstrip().endswith("{"))):
                yield i + 1, ds.brace_end(body, i) + 1

    def run(self, model):
        """(mean reciprocal rank, hit@1, hit@5) of each set and the mean over the sets."""
        out = {}
        for name, units, asked, _ in self.sets:
            d = np.array([model.embed_words(u) for u in units])
            rank = []
            for text, answer in asked:
                s = d @ model.embed_query(text)
                rank.append(int((s > s[answer]).sum()))
            rank = np.array(rank)
            out[name] = (float((1 / (1 + rank)).mean()), float((rank < 1).mean()), float((rank < 5).mean()))
        out["mean"] = tuple(float(np.mean([v[i] for v in out.values()])) for i in range(3))
        return out


class Documented:
    """All documented functions of some trees: the docstring's first sentence without the name's words, and the function without it."""

    def __init__(self, trees, kit):
        sys.path.insert(0, kit)
        import docstring_set as ds
        from corpus import clean, comment_pairs, is_sentence, python_pairs
        name = re.compile(r"(?:fn|func|function|class|struct|enum|trait|interface|type|def|const)\s+(?:\([^)]*\)\s*)?(\w+)")
        self.sets = []
        for lang, tree in (t.split(":", 1) for t in trees):
            found = {}
            for path in ds.walk(tree, ds.EXT[lang]):
                if ds.NOT_DRAWN.search(path):
                    continue
                text = ds.read(os.path.join(tree, path))
                for kind, q, t in python_pairs(text) if lang == "python" else comment_pairs(text, r"//|/\*", "}"):
                    if kind == "doc" and is_sentence(clean(q), 4, 40):
                        m = name.search(t) or re.search(r"(\w+)\s*[(<]", t)
                        asked = ds.make_query(clean(q), m[1] if m else "")
                        if len(asked.split()) >= 4:
                            found.setdefault(asked, t)
            self.sets.append(list(found.items()))

    def run(self, model):
        out = []
        for pairs in self.sets:
            s = np.array([model.embed_query(q) for q, _ in pairs]) @ np.array([model.embed_doc(t) for _, t in pairs]).T
            out.append((1 / (1 + (s > np.diag(s)[:, None]).sum(1))).mean())
        return float(np.mean(out))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("models", nargs="*")
    for o in ("notes", "locomo", "code", "kit", "encoder"):
        p.add_argument("--" + o)
    p.add_argument("--documented", nargs="*", help="LANG:TREE")
    a = p.parse_args()
    documented = a.documented and Documented(a.documented, a.kit)
    notes = Notes(a.notes)
    locomo = a.locomo and Locomo(a.locomo)
    code = a.code and Code(a.code, a.kit)
    if code:
        print("code sets:", ", ".join(f"{n} {len(q)} of {of} questions, {len(u)} units" for n, u, q, of in code.sets))
    if a.encoder:
        from teacher import Teacher
        t = Teacher(a.encoder, int8=False)
        print("encoder  notes " + " ".join(f"{x:.2f}" for x in notes.score(t.encode(notes.questions), t.encode(notes.notes))))
    for path in a.models:
        m = Model.load(path)
        print(f"{os.path.basename(path)} ({len(m.vocabulary)} words)  notes @1 {{:.2f}} @5 {{:.2f}}, with coverage @1 {{:.2f}} @5 {{:.2f}} MRR {{:.3f}}".format(*notes.run(m)))
        if locomo:
            print(f"    locomo recall@10 {locomo.run(m):.3f}")
        if documented:
            print(f"    documented functions MRR {documented.run(m):.3f} ({sum(map(len, documented.sets))} questions)")
        if code:
            print("    code MRR/@1/@5 " + "  ".join(f"{k} " + "/".join(f"{x:.3f}" for x in v) for k, v in code.run(m).items()))


if __name__ == "__main__":
    main()

"""Check vectors of a model, over the texts of an older file of check vectors (whose lexical terms stay).

    check_vectors.py --model MODEL.cxm --like vectors-test.jsonl --out NEW.jsonl

Lines with `id`: a text, its words and terms, how many of its words the model knows, the first eight components of its vector as a question and as a
document with every l(word) = 1. Lines with `query` and `doc`: the cosine of two texts.
"""
import argparse
import json

from cxm import Model

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for o in ("model", "like", "out"):
    p.add_argument("--" + o, required=True)
a = p.parse_args()
model = Model.load(a.model)
texts = {}
with open(a.out, "w") as out:
    for line in open(a.like):
        r = json.loads(line)
        if "id" in r:
            # the words are the program's own, which also folds other scripts
            text = texts[r["id"]] = " ".join(r["words"])
            r["known"] = sum(w in model.index for w in r["words"])
            r["query8"] = [round(float(x), 5) for x in model.embed_query(text)[:8]]
            r["doc8"] = [round(float(x), 5) for x in model.embed_doc(text)[:8]]
        else:
            r["cos"] = round(float(model.embed_query(texts[r["query"]]) @ model.embed_doc(texts[r["doc"]])), 4)
        out.write(json.dumps(r, ensure_ascii=False) + "\n")

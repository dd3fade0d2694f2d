"""The words of the model: those of an older model and the whole words of the encoder's own vocabulary.

    vocabulary.py --base MODEL.cxm --encoder DIR --out words.txt
"""
import argparse
import os
import re

from cxm import Model, words

p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
p.add_argument("--base", required=True)
p.add_argument("--encoder", required=True)
p.add_argument("--out", required=True)
a = p.parse_args()
found = set(Model.load(a.base).vocabulary)
for w in open(os.path.join(a.encoder, "vocab.txt"), encoding="utf-8").read().split("\n"):
    if re.fullmatch(r"[a-z]{2,}", w) and words(w) == [w]:
        found.add(w)
with open(a.out, "w") as f:
    f.write("\n".join(sorted(found)) + "\n")
print(len(found), "words")

"""Trains the static model: a row for each word, learnt from a sentence encoder and from pairs of texts.

    train.py --words words.txt --word-vectors words.npy --base MODEL.cxm --sentences a.txt:a.npy[,b.txt:b.npy] --pairs pairs.tsv --cache DIR
             --out MODEL.cxm [--seed 1] [--steps 4000] [--minutes 15] [--distil 1] [--contrast 1] [--notes DIR] [--code DIR --kit DIR] [--start-only]
    train.py --average START.cxm:0.5 A.cxm:0.5 --out MODEL.cxm

Start: the encoder's vectors of the single words and the rows of the older model (--base), each weighted by frequency, side by side, reduced to 128
components. Then each step takes
 - sentences (half of the batches made of neighbours): the cosines of the model (each sentence as a question against each as a document) must be as
   the encoder's, by the divergence of their softmax at temperature 0.05;
 - pairs (half of the batches from one repository, all in one batch are each other's wrong answers): the right text must be found among the
   others. In half of the pairs the words that question and text share are hidden from the question, so that related words are learnt.
Question: sum of query weight x row. Document: sum of sqrt(count) x document weight x row. Both scaled to length 1.
--average makes one model of several with the same start, the start itself among them: the mean of start and trainings does better on what neither has
seen than either. --notes and --code print figures on the way. Needs torch, numpy.
"""
import argparse
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from cxm import Model, words

DIMS = 128
KINDS = ["doc", "line", "head", "next", "commit", "package", "word", "example"]
# how often a kind is taken as a batch's source, mixed batches and those of one repository alike
SHARE = {"doc": 0.40, "line": 0.04, "head": 0.06, "next": 0.14, "commit": 0.10, "package": 0.12, "word": 0.06, "example": 0.08}


class Bags:
    """Texts as word numbers and counts, one after the other."""

    def __init__(self, ids, counts, starts):
        self.ids, self.counts, self.starts = ids, counts, starts

    @staticmethod
    def of(texts, index, limit=160):
        ids, counts, starts = [], [], [0]
        for t in texts:
            c = {}
            for w in words(t):
                i = index.get(w)
                if i is not None:
                    c[i] = c.get(i, 0) + 1
            ids += list(c)[:limit]
            counts += list(c.values())[:limit]
            starts.append(len(ids))
        return Bags(np.array(ids, np.int32), np.minimum(np.array(counts), 255).astype(np.uint8), np.array(starts, np.int64))

    def take(self, rows, keep=None):
        """(ids, counts, offsets) of some texts; keep is a mask over all words."""
        size = self.starts[rows + 1] - self.starts[rows]
        at = np.repeat(self.starts[rows] - np.concatenate([[0], np.cumsum(size)[:-1]]), size) + np.arange(size.sum())
        owner = np.repeat(np.arange(len(rows)), size)
        if keep is not None:
            k = keep(at, owner)
            at, owner = at[k], owner[k]
        offsets = np.searchsorted(owner, np.arange(len(rows)))
        return torch.from_numpy(self.ids[at].astype(np.int64)), torch.from_numpy(self.counts[at].astype(np.float32)), torch.from_numpy(offsets)


def cached(path, make):
    if not os.path.exists(path):
        np.savez(path, **make())
    return dict(np.load(path, allow_pickle=False))


def load_bags(d, name):
    return Bags(d[name + "_ids"], d[name + "_counts"], d[name + "_starts"])


def pack(bags, name):
    return {name + "_ids": bags.ids, name + "_counts": bags.counts, name + "_starts": bags.starts}


def load_pairs(path, index):
    rows = [l.rstrip("\n").split("\t") for l in open(path)]
    rows = [r for r in rows if len(r) == 4 and r[0] in KINDS]
    q, t = Bags.of([r[2] for r in rows], index, 60), Bags.of([r[3] for r in rows], index)
    origins = sorted({r[1] for r in rows})
    number = {o: i for i, o in enumerate(origins)}
    shared = np.zeros(len(q.ids), bool)
    for i in range(len(rows)):
        a, b = q.starts[i], q.starts[i + 1]
        shared[a:b] = np.isin(q.ids[a:b], t.ids[t.starts[i]:t.starts[i + 1]])
    return {**pack(q, "q"), **pack(t, "t"), "shared": shared, "kind": np.array([KINDS.index(r[0]) for r in rows], np.int8),
            "origin": np.array([number[r[1]] for r in rows], np.int32)}


class Student:
    """Rows and log weights, with Adam on the words of the batch alone (its means of the others stay as they are).

    trust slows rare words down, which would else learn their few texts by heart.
    """

    def __init__(self, rows, query, doc, trust):
        self.trust = torch.tensor(trust, dtype=torch.float32)
        self.tables = [torch.tensor(x, dtype=torch.float32) for x in (rows, np.log(query), np.log(doc))]
        self.mean = [torch.zeros_like(t) for t in self.tables]
        self.square = [torch.zeros_like(t) for t in self.tables]
        self.place = torch.zeros(len(doc), dtype=torch.int64)

    def open(self, bags):
        """Copies the rows that the bags need; returns a function to embed them."""
        mark = torch.zeros(len(self.place), dtype=torch.bool)
        for b in bags:
            mark[b[0]] = True
        self.at = mark.nonzero()[:, 0]
        self.place[self.at] = torch.arange(len(self.at))
        self.local = [t[self.at].requires_grad_() for t in self.tables]

    def embed(self, bag, weight, root):
        ids, counts, offsets = bag
        ids = self.place[ids]
        w = torch.exp(weight[ids]) * (counts.sqrt() if root else counts)
        return F.normalize(F.embedding_bag(ids, self.local[0], offsets, mode="sum", per_sample_weights=w), dim=1, eps=1e-6)

    def ask(self, bag):
        return self.embed(bag, self.local[1], False)

    def text(self, bag):
        return self.embed(bag, self.local[2], True)

    @torch.no_grad()
    def update(self, rates, step, first=0.9, second=0.99):
        for t, m, v, x, rate in zip(self.tables, self.mean, self.square, self.local, rates):
            g = x.grad
            mean = m[self.at].mul_(first).add_(g, alpha=1 - first)
            square = v[self.at].mul_(second).addcmul_(g, g, value=1 - second)
            m[self.at], v[self.at] = mean, square
            pace = rate * self.trust[self.at]
            t[self.at] -= (pace[:, None] if t.dim() == 2 else pace) * (mean / (1 - first ** step)) / ((square / (1 - second ** step)).sqrt() + 1e-8)


def bag_vectors(table, bag, root):
    ids, counts, offsets = bag
    return F.normalize(F.embedding_bag(ids, table, offsets, mode="sum", per_sample_weights=counts.sqrt() if root else counts), dim=1, eps=1e-6)


def start(vocabulary, word_vectors, base, frequency, encoder_share):
    """Rows of length 1, the weights of words in questions and in documents."""
    sif = 1e-3 / (1e-3 + frequency)
    e = word_vectors.astype(np.float32)
    e = e - e.mean(0)
    e = e / np.linalg.norm(e, axis=1, keepdims=True) * sif[:, None]
    g = np.zeros((len(vocabulary), DIMS), np.float32)
    known = np.zeros(len(vocabulary), bool)
    ratio = np.ones(len(vocabulary), np.float32)
    for i, w in enumerate(vocabulary):
        if w in base.index:
            g[i] = base.doc[base.index[w]]
            known[i] = True
            ratio[i] = np.linalg.norm(base.query[base.index[w]]) / max(np.linalg.norm(g[i]), 1e-6)
    g *= np.linalg.norm(e[known]) / np.linalg.norm(g[known]) * ((1 - encoder_share) / encoder_share) ** 0.5
    # words that the older model lacks: what the encoder's nearest words have there, by regression
    x, y = e[known], g[known]
    m = np.linalg.solve(x.T @ x + 30 * np.eye(x.shape[1]), x.T @ y)
    g[~known] = e[~known] @ m
    both = np.concatenate([e, g], 1)
    _, vectors = np.linalg.eigh(both.T @ both)
    rows = both @ vectors[:, ::-1][:, :DIMS]
    norm = np.maximum(np.linalg.norm(rows, axis=1), 1e-4)
    norm = np.clip(norm, 0.01, None)
    return rows / norm[:, None], norm * np.clip(ratio / np.median(ratio[known]), 0.2, 5), norm


def neighbourhoods(vectors, rng, count):
    """Groups of sentences near one of `count` random sentences."""
    centres = vectors[rng.choice(len(vectors), count, replace=False)].astype(np.float32)
    near = np.concatenate([(vectors[i:i + 20000].astype(np.float32) @ centres.T).argmax(1) for i in range(0, len(vectors), 20000)])
    order = np.argsort(near, kind="stable")
    return [g for g in np.split(order, np.searchsorted(near[order], np.arange(1, count))) if len(g) > 3]


def model_of(vocabulary, rows, query, doc):
    return Model.quantise(vocabulary, rows, np.exp(query), np.exp(doc))


def mean_of(parts):
    """The weighted mean of models that began at one start; parts are (path, weight)."""
    models = [Model.load(path) for path, _ in parts]
    share = [float(w) for _, w in parts]
    # document vectors on one scale, and the ratio of a word's weight in questions to that in documents
    doc = sum(w * m.doc / np.median(np.linalg.norm(m.doc, axis=1)) for w, m in zip(share, models))
    ratio = [np.log(m.parts[0] / m.parts[1]) for m in models]
    ratio = np.exp(sum(w * (r - np.median(r)) for w, r in zip(share, ratio)))
    norm = np.maximum(np.linalg.norm(doc, axis=1), 1e-6)
    return Model.quantise(models[0].vocabulary, doc / norm[:, None], (norm * ratio).astype(np.float32), norm.astype(np.float32))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for o in ("words", "word-vectors", "base", "sentences", "pairs", "cache", "out", "notes", "code", "kit"):
        p.add_argument("--" + o)
    p.add_argument("--average", nargs="+")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--steps", type=int, default=4000)
    p.add_argument("--minutes", type=float, default=15)
    p.add_argument("--batch", type=int, default=1024)
    p.add_argument("--distil-batch", type=int, default=512)
    p.add_argument("--distil", type=float, default=1)
    p.add_argument("--code-share", type=float, help="share of the kind doc among the batches of pairs")
    p.add_argument("--rare", type=float, default=50, help="texts of a word at which it learns at half the rate")
    p.add_argument("--dropout", type=float, default=0.15, help="share of the words left out of a question when distilling")
    p.add_argument("--anchor", type=float, default=0.5)
    p.add_argument("--contrast", type=float, default=1)
    p.add_argument("--encoder-share", type=float, default=0.7)
    p.add_argument("--rate", type=float, default=3e-3)
    p.add_argument("--temperature", type=float, default=0.05)
    p.add_argument("--start-only", action="store_true")
    a = p.parse_args()
    if a.average:
        mean_of([f.rsplit(":", 1) for f in a.average]).save(a.out)
        return
    torch.set_num_threads(1)
    vocabulary = open(a.words).read().split()
    index = {w: i for i, w in enumerate(vocabulary)}
    rng = np.random.default_rng(a.seed)
    torch.manual_seed(a.seed)

    texts, vectors = [], []
    for part in a.sentences.split(","):
        names, path = part.split(":")
        v = np.load(path, mmap_mode="r")
        # the last 4,000 of each list are kept to check with
        done = np.flatnonzero(np.abs(v[:, :4]).sum(1)[:-4000] > 0)
        lines = open(names).read().split("\n")
        vectors.append(np.array(v[done]))
        texts += [lines[i] for i in done]
    vectors = np.concatenate(vectors)
    sentences = Bags.of(texts, index, 60)
    pairs = cached(os.path.join(a.cache, "pairs.npz"), lambda: load_pairs(a.pairs, index))
    asks, answers = load_bags(pairs, "q"), load_bags(pairs, "t")
    shared, kind, origin = pairs["shared"], pairs["kind"], pairs["origin"]
    frequency = np.bincount(sentences.ids, minlength=len(vocabulary)) + np.bincount(answers.ids, minlength=len(vocabulary)) + 1.0
    trust = frequency / (frequency + a.rare)
    frequency /= frequency.sum()
    print(f"{len(texts)} sentences, {len(kind)} pairs, {dict(zip(KINDS, np.bincount(kind, minlength=len(KINDS)).tolist()))}", flush=True)

    base = Model.load(a.base)
    older = [torch.tensor(np.stack([side[base.index[w]] if w in base.index else np.zeros(DIMS, np.float32) for w in vocabulary]))
             for side in (base.query, base.doc)]
    rows, query, doc = start(vocabulary, np.load(a.word_vectors), base, frequency, a.encoder_share)
    student = Student(rows, query, doc, trust)
    if a.start_only:
        model_of(vocabulary, rows, np.log(query), np.log(doc)).save(a.out)
        return
    # words of the question that stand in the text's first eight words, which hold a function's name
    named = np.zeros_like(shared)
    for i in np.flatnonzero(kind == KINDS.index("doc")):
        at = slice(asks.starts[i], asks.starts[i + 1])
        named[at] = np.isin(asks.ids[at], answers.ids[answers.starts[i]:min(answers.starts[i] + 8, answers.starts[i + 1])])
    usable = (np.diff(asks.starts) >= 2) & (np.diff(answers.starts) >= 2)
    of_kind = {k: np.flatnonzero(usable & (kind == i)) for i, k in enumerate(KINDS)}
    of_origin = {}
    for k in ("doc", "line", "head", "next", "commit"):
        at = of_kind[k]
        at = at[np.argsort(origin[at], kind="stable")]
        of_origin[k] = [g for g in np.split(at, np.flatnonzero(np.diff(origin[at])) + 1) if len(g) >= 64]
    kinds = [k for k in KINDS if len(of_kind[k])]
    share = np.array([SHARE[k] for k in kinds])
    if a.code_share:
        share[kinds.index("doc")] = 0
        share *= (1 - a.code_share) / share.sum()
        share[kinds.index("doc")] = a.code_share
    share /= share.sum()
    good = np.flatnonzero(np.diff(sentences.starts) >= 3)
    groups = neighbourhoods(vectors, rng, 400)

    begin = time.time()
    seen = [0.0, 0.0]
    checks = []
    if a.notes:
        from evaluate import Code, Notes
        checks = [("notes", Notes(a.notes).run)] + ([("code", lambda m, c=Code(a.code, a.kit): c.run(m)["mean"])] if a.code else [])
    for step in range(1, a.steps + 1):
        gone = max(step / a.steps, (time.time() - begin) / (60 * a.minutes))
        if gone > 1:
            break
        rate = a.rate * max(0.02, 1 - gone) * min(1, step / 50)
        loss, bags = 0, []
        if a.distil:
            if step % 2:
                near = rng.choice(good, a.distil_batch, replace=False)
            else:
                some = [groups[i] for i in rng.integers(0, len(groups), 5)]
                near = np.unique(np.concatenate([rng.choice(g, min(len(g), a.distil_batch // 4), replace=False) for g in some]))
            bags.append(sentences.take(near))
            bags.append(sentences.take(near, lambda w, o: rng.random(len(w)) >= a.dropout))
        if a.contrast:
            k = kinds[rng.choice(len(kinds), p=share)]
            pool = of_kind[k]
            if k in of_origin and rng.random() < 0.5:
                sizes = np.array([len(g) for g in of_origin[k]], float) ** 0.7
                pool = of_origin[k][rng.choice(len(sizes), p=sizes / sizes.sum())]
            at = rng.choice(pool, min(a.batch, len(pool)), replace=False)
            hide = rng.random(len(at)) < 0.5
            # of a function half of the time only the words of its name are hidden
            mask = named if k == "doc" and rng.random() < 0.5 else shared
            bags.append(asks.take(at, lambda w, o: ~(mask[w] & hide[o] & (rng.random(len(w)) < 0.8))))
            bags.append(answers.take(at))
        student.open(bags)
        if a.distil:
            v = torch.from_numpy(vectors[near].astype(np.float32))
            own = torch.eye(len(near), dtype=torch.bool)
            want = F.log_softmax(((v @ v.T) / a.temperature).masked_fill_(own, -1e4), 1)
            have = F.log_softmax(((student.ask(bags[1]) @ student.text(bags[0]).T) / a.temperature).masked_fill(own, -1e4), 1)
            d = (want.exp() * (want - have)).sum(1).mean()
            loss = loss + a.distil * d
            seen[0] += d.item()
        if a.contrast:
            q, t = student.ask(bags[-2]), student.text(bags[-1])
            s = (q @ t.T) / a.temperature
            ok = q.detach().abs().sum(1) > 0
            goal = torch.arange(len(at))
            want = F.one_hot(goal, len(at)).float()
            if a.anchor and k in ("doc", "line"):
                # code: half of the goal is what the older model says of these pairs
                b = bag_vectors(older[0], bags[-2], False) @ bag_vectors(older[1], bags[-1], True).T / a.temperature
                want = (1 - a.anchor) * want + a.anchor * F.softmax(b, 1)
            c = F.cross_entropy(s[ok], want[ok]) + 0.3 * F.cross_entropy(s.T[ok], goal[ok])
            loss = loss + a.contrast * c
            seen[1] += c.item()
        loss.backward()
        student.update((rate, 3 * rate, 3 * rate), step)
        if step % 400 == 0:
            m = model_of(vocabulary, *(t.numpy() for t in student.tables))
            print(f"{step} {time.time() - begin:.0f} s, distil {seen[0] / 400:.3f}, contrast {seen[1] / 400:.3f} "
                  + " ".join(name + " " + " ".join(f"{x:.3f}" for x in run(m)) for name, run in checks), flush=True)
            seen = [0.0, 0.0]
    state = [t.numpy() for t in student.tables]
    model_of(vocabulary, *state).save(a.out)


if __name__ == "__main__":
    main()

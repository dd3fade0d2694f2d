"""The model file (CXM1), the tokenizer and the vectors, as the program computes them.

Imported by the other scripts of this folder. Needs numpy.
"""
import re
import struct
import zlib

import numpy as np

RUN = re.compile(r"[A-Za-z0-9]+")  # runs, already cut at `_` and `$`
PIECE = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+")
STOP = set(
    "a an and are as at be by do does did for from has have how if in into is it its not of on or that the this to was were what "
    "when where which who why will with can could should would there their then than these those via between while within using "
    "used use uses".split())


def words(text):
    """The lower-cased words of a text, in order."""
    return [p.lower() for r in RUN.findall(text) for p in PIECE.findall(r)]


class Model:
    """A table of words with two scales each and int8 rows."""

    def __init__(self, vocabulary, query_scale, doc_scale, rows):
        self.vocabulary = list(vocabulary)
        self.index = {w: i for i, w in enumerate(self.vocabulary)}
        self.query = rows.astype(np.float32) * query_scale[:, None]
        self.doc = rows.astype(np.float32) * doc_scale[:, None]
        self.parts = (query_scale, doc_scale, rows)

    @staticmethod
    def load(path):
        data = open(path, "rb").read()
        magic, version, dims, count, blob_bytes, _, crc, _ = struct.unpack_from("<4s7I", data)
        assert magic == b"CXM1" and version == 1 and crc == zlib.crc32(data[32:])
        offsets = np.frombuffer(data, "<u4", count + 1, 32)
        at = 32 + 4 * (count + 1)
        blob = data[at:at + blob_bytes]
        names = [blob[offsets[i]:offsets[i + 1]].decode() for i in range(count)]
        at += (blob_bytes + 3) // 4 * 4
        query_scale = np.frombuffer(data, "<f4", count, at)
        doc_scale = np.frombuffer(data, "<f4", count, at + 4 * count)
        rows = np.frombuffer(data, "i1", count * dims, at + 8 * count).reshape(count, dims)
        return Model(names, query_scale, doc_scale, rows)

    @staticmethod
    def quantise(vocabulary, rows, query_weight, doc_weight):
        """A model of float rows and the weight of each word in questions and in documents."""
        order = sorted(range(len(vocabulary)), key=lambda i: vocabulary[i].encode())
        rows = rows[order]
        step = np.maximum(np.abs(rows).max(1), 1e-9) / 127
        return Model([vocabulary[i] for i in order], (query_weight[order] * step).astype("<f4"),
                     (doc_weight[order] * step).astype("<f4"), np.rint(rows / step[:, None]).astype("i1"))

    def save(self, path):
        query_scale, doc_scale, rows = self.parts
        encoded = [w.encode() for w in self.vocabulary]
        assert encoded == sorted(encoded)
        offsets = np.cumsum([0] + [len(w) for w in encoded]).astype("<u4")
        blob = b"".join(encoded)
        body = offsets.tobytes() + blob + b"\0" * (-len(blob) % 4)
        body += query_scale.astype("<f4").tobytes() + doc_scale.astype("<f4").tobytes() + rows.astype("i1").tobytes()
        head = struct.pack("<4s7I", b"CXM1", 1, rows.shape[1], len(encoded), len(blob), 0, zlib.crc32(body), 0)
        with open(path, "wb") as out:
            out.write(head + body)

    def embed_query(self, text):
        """The vector of a question, of length 1 (zero when no word is known)."""
        at = [self.index[w] for w in words(text) if w in self.index]
        return unit(self.query[at].sum(0)) if at else np.zeros(self.query.shape[1], np.float32)

    def embed_words(self, counts, weight=None):
        """The vector of a document given as {word: count}; weight(word) is l(word), 1 without it."""
        known = [(self.index[w], c ** 0.5 * (weight(w) if weight else 1)) for w, c in counts.items() if w in self.index]
        if not known:
            return np.zeros(self.doc.shape[1], np.float32)
        at, scale = zip(*known)
        return unit(np.array(scale, np.float32) @ self.doc[list(at)])

    def embed_doc(self, text):
        counts = {}
        for w in words(text):
            counts[w] = counts.get(w, 0) + 1
        return self.embed_words(counts)


def unit(v):
    n = np.linalg.norm(v)
    return v / n if n else v

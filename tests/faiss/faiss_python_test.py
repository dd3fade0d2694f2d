"""Debian's python3-faiss reads vectors.faiss, and finds what the stored vectors say it must.

  faiss_python_test.py --program build/ci/bin/codexmem --source src/base

The stored vectors come from SQLite, through the view that the contract names. Without the module it
prints "SKIPPED: ..." and ends with 0.
"""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

DEBIAN_PYTHON = "/usr/bin/python3"
try:
    import faiss
    import numpy
except ImportError:
    # The module belongs to Debian's interpreter, and this may be another.
    if os.path.exists(DEBIAN_PYTHON) and "CODEXMEM_FAISS_TRIED" not in os.environ:
        os.environ["CODEXMEM_FAISS_TRIED"] = "1"
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])
    print("SKIPPED: there is no FAISS for Python; install python3-faiss")
    sys.exit(0)

TIE = 1e-4


class VectorsFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp(prefix="codexmem-faiss-")
        cls.addClassCleanup(shutil.rmtree, cls.work)
        cls.root = os.path.join(cls.work, "repository")
        shutil.copytree(OPTIONS.source, os.path.join(cls.root, "base"))
        environment = {**os.environ, "CODEXMEM_DATA_DIR": os.path.join(cls.work, "data")}
        subprocess.run([OPTIONS.program, "index", "-q", cls.root], check=True, env=environment)
        cls.path = os.path.join(cls.root, ".codexmem/vectors.faiss")
        cls.index = faiss.read_index(cls.path)
        with sqlite3.connect(os.path.join(cls.root, ".codexmem/index.db")) as database:
            rows = database.execute("SELECT id, embedding FROM embeddings ORDER BY id").fetchall()
        cls.ids = numpy.array([row[0] for row in rows])
        cls.vectors = numpy.array([numpy.frombuffer(row[1], dtype="<f4") for row in rows])

    def test_is_a_flat_index_of_codes(self):
        self.assertEqual(type(self.index), faiss.IndexIDMap)
        inner = faiss.downcast_index(self.index.index)
        self.assertEqual(type(inner), faiss.IndexScalarQuantizer)
        self.assertEqual(inner.sq.qtype, faiss.ScalarQuantizer.QT_8bit_uniform)
        self.assertEqual(self.index.metric_type, faiss.METRIC_INNER_PRODUCT)
        self.assertEqual(self.index.d, self.vectors.shape[1])

    def test_contains_the_stored_vectors(self):
        numpy.testing.assert_array_equal(faiss.vector_to_array(self.index.id_map), self.ids)
        inner = faiss.downcast_index(self.index.index)
        numpy.testing.assert_allclose(inner.reconstruct_n(0, inner.ntotal), self.vectors, atol=1e-6)

    def test_finds_the_same_neighbours(self):
        queries = self.vectors[:: max(1, len(self.vectors) // 40)]
        scores, ids = self.index.search(queries, 10)
        row_of = {number: row for row, number in enumerate(self.ids)}
        truth = queries @ self.vectors.T
        for query in range(len(queries)):
            order = numpy.argsort(-truth[query], kind="stable")[:10]
            numpy.testing.assert_allclose(scores[query], truth[query][order], atol=TIE)
            for place, number in enumerate(ids[query]):
                if number != self.ids[order[place]]:  # a tie
                    self.assertAlmostEqual(truth[query][row_of[number]], truth[query][order[place]], delta=TIE)

    def test_is_written_by_faiss_as_it_is(self):
        again = os.path.join(self.work, "again")
        faiss.write_index(self.index, again)
        with open(self.path, "rb") as ours, open(again, "rb") as theirs:
            self.assertEqual(ours.read(), theirs.read())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--source", required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest)

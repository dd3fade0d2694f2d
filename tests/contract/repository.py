"""What the tests of docs/contract.md stand on: one repository and one data directory for all tests of a class."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

from cases import Result, is_held
from program import Program

PROGRAM = os.environ["CODEXMEM_PROGRAM"]


class Repository(unittest.TestCase):
    """One repository and one data directory for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-contract-"))
        cls.program = Program(PROGRAM, cls.folder)
        cls.program.make_repository()
        cls.open = []

    @classmethod
    def tearDownClass(cls):
        for each in cls.open:
            each.stop()
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def start(cls, **settings):
        cls.open.append(cls.program.serve(**settings))
        return cls.open[-1]

    def ask(self, server, cases, names=None):
        for name, tool, arguments, holds in cases:
            if names:
                arguments = json.loads(json.dumps(arguments).replace("{active}", names.get("active", "")))
            with self.subTest(case=name):
                result = Result(server.call(tool, arguments))
                held, why = is_held(holds, result)
                self.assertTrue(held, f"{why} {result}")
                if names is not None and tool == "record_decision" and not result.is_error:
                    names["active"] = result.data["decision_id"]

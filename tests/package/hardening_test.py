"""What the compiler and linker were asked for against memory faults is in the programs (cmake/codexmem_hardening.cmake).

Usage: hardening_test.py PROGRAM...
"""
import platform
import re
import subprocess
import sys
import unittest

PROGRAMS = sys.argv[1:]
LANDING_PAD = b"\xf3\x0f\x1e\xfa"  # endbr64


def readelf(option, program):
    return subprocess.run(["readelf", "-W", option, program], check=True, capture_output=True, text=True).stdout


class Hardening(unittest.TestCase):
    def setUp(self):
        self.assertTrue(PROGRAMS)

    def test_load_address_is_random(self):
        for program in PROGRAMS:
            self.assertIn("DYN (Position-Independent Executable file)", readelf("-h", program))

    def test_tables_of_addresses_are_read_only(self):
        for program in PROGRAMS:
            self.assertIn("GNU_RELRO", readelf("-l", program))
            self.assertRegex(readelf("-d", program), r"FLAGS.*BIND_NOW")
            self.assertRegex(readelf("-d", program), r"FLAGS_1.*NOW.*PIE")

    def test_no_memory_is_writable_and_executable(self):
        for program in PROGRAMS:
            segments = re.findall(r"^ +([A-Z_]+) +(?:0x[0-9a-f]+ ){5}([R ][W ][E ])", readelf("-l", program), re.M)
            self.assertIn("GNU_STACK", dict(segments))
            for name, flags in segments:
                self.assertFalse("W" in flags and "E" in flags, f"{name} {flags}")

    def test_libraries_come_from_the_system_only(self):
        for program in PROGRAMS:
            self.assertNotRegex(readelf("-d", program), "RPATH|RUNPATH")

    def test_checks_are_compiled_in(self):
        for program in PROGRAMS:
            imported = readelf("--dyn-syms", program)
            self.assertIn("__stack_chk_fail", imported)
            self.assertRegex(imported, r"__(mem|str|v?sn?printf|read|pread|recv)\w*_chk")
            self.assertIn("__glibcxx_assert_fail", imported)

    @unittest.skipUnless(platform.machine() == "x86_64", "CET is of x86-64")
    def test_indirect_calls_have_landing_pads(self):
        # The mark that has the system enforce them is missing: Debian's start-up code does not have it.
        for program in PROGRAMS:
            with open(program, "rb") as file:
                self.assertGreater(file.read().count(LANDING_PAD), 1000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

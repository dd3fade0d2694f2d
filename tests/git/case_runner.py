"""Runs a table of cases, for the tests of this folder that have one."""

import argparse
import sys
import traceback


def run_cases(description, table, check_case, more):
    """Runs `check_case(program, name)` of each name of `table` and the functions of `more` ({name: f(program)});
    of these the ones that the command line names. Ends the program, with 1 when a case failed."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("names", nargs="*", help="cases that begin so; default: all")
    options = parser.parse_args()
    failed = 0
    cases = {name: lambda name=name: check_case(options.program, name) for name in table}
    for name, check in more.items():
        cases[name] = lambda check=check: check(options.program)
    for name, case in cases.items():
        if options.names and not name.startswith(tuple(options.names)):
            continue
        try:
            case()
        except AssertionError as error:
            failed += 1
            print(f"FAILED {name}: {error}")
            if not error.args:
                traceback.print_exc()
    print(f"{len(cases)} cases, {failed} failed")
    sys.exit(1 if failed else 0)

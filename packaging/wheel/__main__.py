"""`python -m codexmem`: the program, which installers put among the scripts of this Python."""
import os
import sys
import sysconfig


def find_program():
    schemes = ["", f"{os.name}_user", f"{os.name}_prefix"]
    folders = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    # pip install --target puts them beside the package.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for folder in folders:
        program = os.path.join(folder, "codexmem")
        if os.path.isfile(program):
            return program
    sys.exit(f"codexmem: there is no codexmem in {', '.join(folders)}")


if __name__ == "__main__":
    program = find_program()
    os.execv(program, [program, *sys.argv[1:]])

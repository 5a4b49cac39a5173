"""`python -m playmill`: the command line."""

import os
import sys


def run() -> int:
    """The program `playmill`: hears signals before it imports anything that takes time."""
    # Else pydantic reads the files of every installed package to find some.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        from playmill.interrupts import run_program
    except KeyboardInterrupt:
        from playmill.interrupts import farewell

        farewell()
    return run_program(_main)


def _main() -> int:
    from playmill.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(run())

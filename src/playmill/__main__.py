"""`python -m playmill`: the command line."""

import sys

from playmill.stopping import run_program


def run() -> int:
    """The program `playmill`: hears signals before it imports anything that takes time."""
    return run_program(_main)


def _main() -> int:
    from playmill.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(run())

"""`python -m playmill`: the command line."""

import sys


def run() -> int:
    """The program `playmill`: hears signals before it imports anything that takes time."""
    from playmill.no_plugins import disable_plugins

    disable_plugins()
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

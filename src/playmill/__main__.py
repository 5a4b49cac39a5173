"""`python -m playmill`: the command line."""

import gc
import sys

#: After how many new objects garbage is looked for: what is imported stays, and is looked through in vain.
_OBJECTS = 50_000


def run() -> int:
    """The program `playmill`: hears signals before it imports anything that takes time."""
    gc.set_threshold(_OBJECTS, *gc.get_threshold()[1:])
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

"""Builds the documentation as a site, English and Russian, that needs no network to be read: `make docs`.

The prose is that of README.md and docs/; what can be asked of the package is made from it, so that it cannot go stale:
the rules of every game, its config, what an agent sees, the reference of the Python API.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from docsite.build import build
from docsite.prose import copy_blocks
from docsite.sources import write_sources

from playmill.texts import PlaymillError

ROOT = Path(__file__).parent.parent


def main(words: list[str] | None = None) -> int:
    """Writes the sources of the site, then the site; 2 if the generator is not installed."""
    parser = argparse.ArgumentParser(description="Builds the documentation as a site that needs no network.")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "site", help="the folder of the site")
    parser.add_argument("--sources-only", action="store_true", help="write the pages as Markdown, build nothing")
    parser.add_argument("--blocks", action="store_true", help="copy the blocks of English pages into the Russian ones")
    options = parser.parse_args(words)
    if options.blocks:
        try:
            print(*copy_blocks(ROOT))
        except PlaymillError as error:
            print(f"docs: {error}", file=sys.stderr)
            return 2
        return 0
    sources = options.out.parent / f"{options.out.name}-sources"
    write_sources(ROOT, sources)
    if options.sources_only:
        print(f"wrote {sources}")
        return 0
    if find_spec("material") is None:
        print("docs: MkDocs Material is missing: pip install 'playmill[docs]', or make docs", file=sys.stderr)
        return 2
    build(sources, options.out)
    print(f"wrote {options.out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

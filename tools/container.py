"""Tries the image of the Containerfile: builds it, serves from it, asks for pages, starts it again on the same volume.

    python tools/container.py                 # podman, or docker where there is none
    python tools/container.py --no-build      # an image that is there

Pages are asked for inside the container, so no port of this machine is taken. What an engine needs on a machine of its
own kind, another runtime, say, is told in its settings.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMAGE = NAME = VOLUME = "playmill-tried"
#: Seconds after which a server is taken for one that never comes.
LONGEST = 600
#: Opens the door with the key and lays a table (or comes back to one): prints the status without a key, and its path.
ASK = """
import sys, urllib.error, urllib.parse, urllib.request
home, (key, path) = "http://127.0.0.1:8317", sys.argv[1:]
try:
    print(urllib.request.urlopen(home).status)
except urllib.error.HTTPError as error:
    print(error.code)
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
assert b"<title>Playmill" in browser.open(f"{home}/?key={key}").read()
form = urllib.parse.urlencode({"game": "save_oneself", "players": 1, "seat": "me"}).encode()
asked = urllib.request.Request(home + (path or "/tables"), None if path else form, {"Origin": home})
print(urllib.parse.urlsplit(browser.open(asked).url).path)
"""


def main() -> int:
    """Builds and tries; 1 with what was found wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--engine", default=shutil.which("podman") or shutil.which("docker"))
    parser.add_argument("--no-build", action="store_true", help=f"take the image {IMAGE} that is there")
    options = parser.parse_args()
    if options.engine is None:
        print("container: neither podman nor docker is installed", file=sys.stderr)
        return 2
    engine = Engine(options.engine)
    try:
        if not options.no_build:
            kind = ["--format", "docker"] if Path(options.engine).name == "podman" else []
            engine.told("build", *kind, "--tag", IMAGE, str(ROOT))
        table = engine.tried("")
        engine.tried(table)
    except (AssertionError, subprocess.CalledProcessError) as error:
        print(f"container: {error}\n{getattr(error, 'stderr', '') or ''}", file=sys.stderr)
        return 1
    finally:
        engine.told("rm", "--force", NAME, check=False)
        engine.told("volume", "rm", VOLUME, check=False)
    print(f"serves as a user without rights, is healthy, ends at once, and {table} is there after a restart")
    return 0


class Engine:
    """Podman or Docker."""

    def __init__(self, command: str) -> None:
        self._command = command

    def told(self, *words: str, check: bool = True) -> str:
        """Gives the engine a command; what it answered."""
        done = subprocess.run([self._command, *words], capture_output=True, text=True, check=check)
        return done.stdout + (done.stderr if words[0] == "logs" else "")

    def tried(self, table: str) -> str:
        """Serves from a new container on the volume until a table was laid, or found again; its path."""
        self.told("run", "--detach", "--name", NAME, "--volume", f"{VOLUME}:/data", IMAGE)
        key = self._key()
        closed, path = self._inside("python", "-c", ASK, key, table).split()
        assert closed == "401", f"whoever has no key gets {closed}"
        assert path.startswith("/t/") and table in ("", path), path
        assert self._inside("id", "-u").strip() == "10001"
        writes = "test -w /data && test -w /cache && ! test -w /playmill && ! test -w /usr"
        self._inside("sh", "-c", writes)
        check = json.loads(self.told("inspect", "--format", "{{json .Config.Healthcheck}}", NAME))
        assert check, "the image has no health check"
        self._inside(*check["Test"][1:])
        self.told("stop", "--time", "60", NAME)
        code = self.told("inspect", "--format", "{{.State.ExitCode}}", NAME).strip()
        assert code == "0", f"asked to stop, it ended with {code}"
        self.told("rm", NAME)
        return path

    def _inside(self, *words: str) -> str:
        return self.told("exec", NAME, *words)

    def _key(self) -> str:
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            if found := re.search(r"\?key=(\S+)", self.told("logs", NAME)):
                return found[1]
            time.sleep(0.5)
        raise AssertionError(f"nothing was served:\n{self.told('logs', NAME)}")


if __name__ == "__main__":
    sys.exit(main())

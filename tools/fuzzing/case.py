"""One thing to try: a command line, the files it finds, and how it is run; small enough to keep and to run again."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True)
class Case:
    """A command line in a folder with these files; `way` says how it is run, `check` what is looked at beside.

    Ways: `inside` (a call in a forked worker), `process` (a process of its own), or a process whose output is `full`,
    `ascii`, `closed` or of a limited `size`, or one whose compile `cache` was damaged. `check`: `backends` compares the
    interpreter with compiled code.
    """

    kind: str
    argv: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    way: str = "inside"
    check: str = ""
    #: For a damaged cache: which of its files, and what was done to it.
    damage: tuple[int, str, int] = (0, "", 0)

    def text(self) -> str:
        """The form in which it is kept."""
        files = {name: base64.b64encode(data).decode() for name, data in self.files.items()}
        data: dict[str, Any] = {"kind": self.kind, "argv": list(self.argv), "files": files, "way": self.way}
        return json.dumps({**data, "check": self.check, "damage": list(self.damage)}, indent=1)

    @classmethod
    def read(cls, text: str) -> Self:
        """The case of a kept form."""
        data = json.loads(text)
        files = {name: base64.b64decode(content) for name, content in data["files"].items()}
        number, deed, place = data["damage"]
        return cls(
            data["kind"], tuple(data["argv"]), files, data["way"], data["check"], (int(number), str(deed), int(place))
        )

    def lay(self, folder: Path) -> None:
        """Puts its files into a folder, and a link that leads to itself."""
        (folder / "loop").symlink_to("loop")
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

"""What an audit asks of Pig: what its length is counted in. Its kinds of actions are found by their words."""

from __future__ import annotations

from playmill.author import Text

LENGTH = ("turns", Text("turns", "ходы"))

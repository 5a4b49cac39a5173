"""`audit`: one page on whether a game is a good one, every figure with its interval."""

from playmill.lab.audit.whole import PARTS, Audit, audit

__all__ = ["PARTS", "Audit", "audit"]

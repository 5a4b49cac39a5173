"""`audit`: measures whether a game is a good one (fairness, skill, luck, drama, choices, uses) on one page."""

from playmill.lab.audit.run import PARTS, Audit, audit

__all__ = ["PARTS", "Audit", "audit"]

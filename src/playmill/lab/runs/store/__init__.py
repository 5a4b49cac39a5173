"""Kept runs: a folder each, which readers understand by its manifest alone, however its writer ended."""

from playmill.lab.runs.store.keeper import Keeper
from playmill.lab.runs.store.kept import KeptRun, all_runs, find_run, runs_folder

__all__ = ["Keeper", "KeptRun", "all_runs", "find_run", "runs_folder"]

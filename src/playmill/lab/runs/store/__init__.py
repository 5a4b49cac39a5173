"""The store of kept runs: one folder per run, readable by its manifest alone, however its writer ended."""

from playmill.lab.runs.store.reader import KeptRun, all_runs, find_run, runs_folder
from playmill.lab.runs.store.writer import RunWriter

__all__ = ["KeptRun", "RunWriter", "all_runs", "find_run", "runs_folder"]

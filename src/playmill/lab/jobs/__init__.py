"""Jobs: what the laboratory is asked to do, as data, done in a process of its own."""

from playmill.lab.jobs.job import KINDS, Job, Standing, State, new_job

__all__ = ["KINDS", "Job", "Standing", "State", "new_job"]

"""Background jobs of the laboratory: described as data in a folder, performed by a process of their own."""

from playmill.lab.jobs.job import KINDS, Job, JobProgress, JobState, new_job

__all__ = ["KINDS", "Job", "JobProgress", "JobState", "new_job"]

"""The laboratory: runs and their statistics, decisions about rules, audits, replays, SQL, contests, background jobs."""

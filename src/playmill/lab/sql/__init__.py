"""SQL on kept runs: validates a query, runs it in DuckDB without access to anything else."""

"""Sandbox of bots on Linux: a launcher that isolates the process, and a supervisor that outlives Playmill."""

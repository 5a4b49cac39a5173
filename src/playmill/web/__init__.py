"""Browser interface: tables, replays and the laboratory, served by Starlette."""

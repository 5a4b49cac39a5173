"""Pages of the laboratory: jobs, kept runs, contests, map editor, content editor."""

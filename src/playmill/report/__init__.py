"""Reports: their data model, tables in the terminal, self-contained HTML pages, SVG plots, files on disk."""

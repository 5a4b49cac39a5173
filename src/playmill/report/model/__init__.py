"""Data behind reports: tables, run facts, histograms, figure names, and the summary CSV."""

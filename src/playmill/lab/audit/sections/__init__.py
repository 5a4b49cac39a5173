"""Sections of an audit: each plays games within its budget and returns verdict, tables, plots and findings."""

"""Contests between agents: tournaments with a ladder, contests with submissions, and the check of a bot."""

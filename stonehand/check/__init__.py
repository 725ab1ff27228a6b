"""Checks: what is wrong with what was made or written, as findings that have codes."""

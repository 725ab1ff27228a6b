"""Preflight: what will print badly, and where it was written."""

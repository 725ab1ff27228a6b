"""Inspection: what is in a PDF, of ours or not, and what will go wrong in print."""

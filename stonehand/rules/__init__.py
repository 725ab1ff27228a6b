"""Rulebooks: one rules text, read to blocks, translated block by block, set as pages."""

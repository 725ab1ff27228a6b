"""Stonehand: print-ready card sheets, in every language, from a folder of plain files.

The rooms, in the order data flows through them, are told in docs/design.md. This module stays
empty of imports so that a command loads only what it uses (tests/test_imports.py).
"""

__version__ = "0.1.0"

"""A game on a page of a browser on the same machine, drawn anew as its files change."""

"""One text engine: fonts, glyphs, lines, paragraphs that fit, and fonts embedded in PDF."""

"""One text engine: fonts, glyphs, lines, paragraphs that fit their box, and fonts embedded in PDF."""

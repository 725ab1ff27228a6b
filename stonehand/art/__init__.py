"""Pictures: raster, SVG and PDF files become values a writer places, each embedded once."""

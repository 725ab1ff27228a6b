"""Reading what people write: every value keeps its file, line and column, and every fault says so."""

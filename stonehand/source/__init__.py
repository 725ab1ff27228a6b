"""Reading what people write: every value keeps its place, and every fault says it."""

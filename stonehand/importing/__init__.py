"""Importing: what people have already, brought into a game."""

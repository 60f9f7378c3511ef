"""Tilewright, a crossword-game engine."""

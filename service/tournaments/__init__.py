"""Tournaments as a service: their streams in the log, and the matches at their tables."""

"""Tournaments: a second aggregate, whose stream ties together the matches played at its tables."""

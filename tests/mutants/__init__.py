"""Mutants: each breaks one rule of the domain, and the tests that cite the rule notice it."""

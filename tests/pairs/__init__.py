"""Two settings of the service held against each other, in pairs: python -m tests.pairs."""

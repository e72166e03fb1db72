"""How each event changes the match: facts only, no decisions. ``domain.evolve`` has the table."""

"""The game: rules, facts and sight. Pure: no clock, no dice, no input or output."""

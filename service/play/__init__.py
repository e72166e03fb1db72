"""How a command reaches the log and a match reaches its viewers; no HTTP here."""

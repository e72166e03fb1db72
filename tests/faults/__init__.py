"""Real processes of the service, driven over HTTP while they and their servers are killed."""

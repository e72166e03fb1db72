"""What touches the world: Postgres, Redis, keys, clocks and the embedded servers."""

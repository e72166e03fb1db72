"""The log and the registry on Postgres 15 to 18, through asyncpg."""

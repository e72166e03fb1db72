"""The log's tree: what makes it grow, and what it is kept in."""

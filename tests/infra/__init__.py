"""What needs servers of its own, or breaks them."""

"""What is measured of a running service."""

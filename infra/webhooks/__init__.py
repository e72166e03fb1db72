"""Telling apps: deliveries are written from the log, signed, and sent until they arrive."""

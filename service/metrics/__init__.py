"""What is measured of a running service, for Prometheus; imported only where it is asked for."""

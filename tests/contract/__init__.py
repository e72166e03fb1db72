"""What any implementation of a port must do."""

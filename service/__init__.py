"""The HTTP service: who asks, what they may see, and how a command reaches the log."""

"""What makes a match checkable by others: its record, what the service signs, the checks."""

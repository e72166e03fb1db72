"""What follows the log by position: the boards, the lobby, and the repair of views."""

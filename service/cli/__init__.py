"""The command line: ``talon serve``, ``talon test`` and their companions."""

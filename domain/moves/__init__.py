"""The moves: what each command does, one file a chapter of the rules.

Each move is a function of (match, actor, command, context) that gives the events or raises
``RuleViolation``; its guards stand first, in the order in which a player breaks them.
"""

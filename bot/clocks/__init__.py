"""Time: how a seat's clock runs, when people rest, and the one task that wakes up when something is due.

Nothing here knows the database or Discord.
"""

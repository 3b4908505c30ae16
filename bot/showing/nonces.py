"""Messages that must appear only once, however often they are sent.

The sender does not always learn that it worked: the answer may be lost, or the program may end before it has noted the
message. If it is sent again with the same nonce within some minutes, Discord returns the message that is already there
instead of posting (and pinging) a second time ("enforce_nonce" of Create Message, which discord.py sets with every
nonce).
"""

from __future__ import annotations

from hashlib import blake2b

from bot.table import Table


def nonce(table: Table, *about: object) -> str:
    """The nonce of 24 characters (25 are allowed) for what is said `about` this where the table is played now."""
    return nonce_at(table, table.channel_id, *about)


def nonce_at(table: Table, channel_id: int, *about: object) -> str:
    """The same for what was said in another place."""
    return blake2b(repr((table.id, channel_id, *about)).encode(), digest_size=12).hexdigest()

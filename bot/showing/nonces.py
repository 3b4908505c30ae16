"""Messages that must appear only once, however often they are sent.

The sender does not always learn that it worked: the answer may be lost, or the program may end before it has noted the
message. Sent again with the same nonce within some minutes, Discord returns the message that is there already instead
of posting, and calling, a second time ("enforce_nonce" of Create Message, which discord.py sets with every nonce).
"""

from __future__ import annotations

from hashlib import blake2b

from bot.table import Table


def nonce(table: Table, *about: object) -> str:
    """The nonce, of 24 characters (25 are allowed), of what is said `about` this at the table's present place."""
    return nonce_at(table, table.channel_id, *about)


def nonce_at(table: Table, channel_id: int, *about: object) -> str:
    """The same for what was said at another place."""
    return blake2b(repr((table.id, channel_id, *about)).encode(), digest_size=12).hexdigest()

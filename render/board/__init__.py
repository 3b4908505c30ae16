"""Boards: where everything lies, what is drawn there, and how a picture is put together from it."""

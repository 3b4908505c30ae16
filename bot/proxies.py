"""The proxy of an operator's network: which address it has, and which hosts are reached without it.

Both come as usual from `HTTPS_PROXY` and `NO_PROXY`. The address in requests and in texts never has a password in it:
that is handed on beside it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]

import aiohttp

HERE = ("127.0.0.1", "::1", "localhost")
"""Hosts of this machine, which are never reached through a proxy."""


@dataclass(frozen=True, slots=True)
class Proxies:
    """A proxy (`address`: without user and password; empty: none) and the hosts that are reached without it."""

    address: str = ""
    auth: aiohttp.BasicAuth | None = field(default=None, repr=False)
    without: str = ""

    @classmethod
    def of(cls, https_proxy: str, no_proxy: str = "") -> Proxies:
        """Read both settings. Raises ValueError, which shows nothing of the address."""
        if not https_proxy:
            return cls()
        written = https_proxy if "://" in https_proxy else f"http://{https_proxy}"
        if written.count("@") > 1:
            raise ValueError("in a password, @ is written %40")
        try:
            parts = urlsplit(written)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise ValueError("a proxy is written http://host:port or http://user:password@host:port") from None
        if parts.scheme not in ("http", "https"):
            raise ValueError("only proxies whose address begins with http:// or https:// can be used")
        if not host or parts.path.strip("/") or parts.query:
            raise ValueError("a proxy is written http://host:port or http://user:password@host:port")
        name = f"[{host}]" if ":" in host else host
        address = f"{parts.scheme}://{name}" + (f":{port}" if port else "")
        auth = None
        if parts.username is not None:
            with warnings.catch_warnings():
                # Deprecated, and still what discord.py takes.
                warnings.simplefilter("ignore", DeprecationWarning)
                auth = aiohttp.BasicAuth(unquote(parts.username), unquote(parts.password or ""), "utf-8")
        return cls(address, auth, no_proxy)

    def serves(self, host: str) -> bool:
        """Return True if this host is reached through the proxy."""
        return bool(self.address) and host not in HERE and not proxy_bypass_environment(host, {"no": self.without})

    def options(self, host: str) -> Mapping[str, Any]:
        """Return what aiohttp and discord.py need to be told for a request to this host."""
        return {"proxy": self.address, "proxy_auth": self.auth} if self.serves(host) else {}

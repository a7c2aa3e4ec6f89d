"""Listening sockets, and the addresses of this computer in its networks."""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from ipaddress import IPv4Address
from typing import Final

from msgspec import Struct

# The number of ports to try if the first one is in use.
_MORE: Final = 50

# The request that returns the address of a network interface, by system.
_GET_ADDRESS: Final = {"linux": 0x8915, "darwin": 0xC0206921}

# The kind of a network interface by the start of its name. Other interfaces are virtual, except on macOS.
_KINDS: Final = {"wl": "wifi", "en": "cable", "eth": "cable", "tun": "vpn", "utun": "vpn", "wg": "vpn", "ppp": "vpn"}

# The order in which addresses are offered. The kind is empty if the system does not say it.
_ORDER: Final = ("wifi", "", "cable", "vpn", "virtual")


class Address(Struct, frozen=True, kw_only=True):
    """A private IPv4 address of this computer; ``kind`` is ``wifi``, ``cable``, ``vpn``, ``virtual`` or empty."""

    host: str
    kind: str = ""


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address.

    Raises:
        OSError: the system refuses it, for example because the port is in use.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # On Windows this option would let two programs listen on one port.
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def find_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at a port, or at the next free one of the 50 ports after it.

    Raises:
        OSError: all of these ports are in use or not permitted, or the system refuses one for another reason.
    """
    last = min(port + _MORE, 65_535)
    for candidate in range(port, last):
        try:
            return open_socket(host, candidate)
        except OSError as error:
            # Windows refuses a port of another program in this way too.
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    return open_socket(host, last)


def find_addresses() -> tuple[Address, ...]:
    """Return the private IPv4 addresses of this computer, the likely one first; none without a network."""
    route = _route_address()
    kinds = dict.fromkeys((route, *_host_addresses()), "")
    kinds.update(_interface_addresses())
    hosts = [host for host in kinds if host and is_private(host)]
    hosts.sort(key=lambda host: (_ORDER.index(kinds[host]), host != route, host))
    return tuple(Address(host=host, kind=kinds[host]) for host in hosts)


def is_private(host: str) -> bool:
    """Return whether an IPv4 address belongs to a private network that others can be in."""
    address = IPv4Address(host)
    return address.is_private and not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _route_address() -> str:
    """Return the address with which this computer reaches other networks, or an empty text."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
        # A UDP connect sends nothing. The system only chooses the local address for this route.
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ""


def _host_addresses() -> list[str]:
    """Return the addresses that Windows knows for the name of this computer; other systems might search a network."""
    if os.name == "nt":
        with suppress(OSError):
            return socket.gethostbyname_ex(socket.gethostname())[2]
    return []


def _interface_addresses() -> Iterator[tuple[str, str]]:
    """Yield the address and the kind of each network interface, on Linux and macOS."""
    request = _GET_ADDRESS.get(sys.platform)
    if request is None:
        return
    with suppress(ImportError):
        import fcntl

    other = "virtual" if sys.platform == "linux" else ""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(probe.fileno(), request, struct.pack("256s", name.encode()[:15]))
                start = next((start for start in _KINDS if name.startswith(start)), "")
                # On macOS, en0 may be the Wi-Fi or a cable.
                kind = "" if sys.platform == "darwin" and start == "en" else _KINDS.get(start, other)
                yield socket.inet_ntoa(answer[20:24]), kind

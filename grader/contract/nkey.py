"""Handles the keys with which a node authenticates to nats-server: Ed25519 keys in NATS's own encoding.

Only the node has the seed, which is the private key. The service and nats-server have only the public key, which is not enough
to authenticate. Both keys are encoded in the same way, with different prefixes: a seed begins with SU, a public key with U.

    base32(prefix, 32 bytes, CRC-16 little-endian), without padding
"""

import base64
import binascii
import struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_SEED, _USER = 18 << 3, 20 << 3
# The first two bytes of a seed. Five bits say that it is a seed, and the next five bits say for which kind of key.
_SEED_OF_A_USER = bytes([_SEED | _USER >> 5, (_USER & 31) << 3])


def new_seed() -> str:
    """Create a random seed: 58 characters that begin with SU."""
    return _written(_SEED_OF_A_USER + Ed25519PrivateKey.generate().private_bytes_raw())


def public_key(seed: str) -> str:
    """Return the public key that belongs to a seed. Raises ValueError if the text is not a seed."""
    return _written(bytes([_USER]) + _key(seed).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def sign(seed: str, nonce: str) -> bytes:
    """Sign the nonce that nats-server sent. Returns the signature in base64, as a client has to send it."""
    return base64.b64encode(_key(seed).sign(nonce.encode()))


def _key(seed: str) -> Ed25519PrivateKey:
    try:
        raw = base64.b32decode(seed + "=" * (-len(seed) % 8))
    except ValueError:
        raw = b""
    if len(raw) != 36 or raw[:2] != _SEED_OF_A_USER or _written(raw[:-2]) != seed:
        raise ValueError("it is no seed, or a character of it is missing")
    return Ed25519PrivateKey.from_private_bytes(raw[2:34])


def _written(raw: bytes) -> str:
    return base64.b32encode(raw + _checksum(raw)).decode().rstrip("=")


def _checksum(raw: bytes) -> bytes:
    return struct.pack("<H", binascii.crc_hqx(raw, 0))

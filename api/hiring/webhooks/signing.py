"""Signs messages as specified by standardwebhooks.com. With the signature, the receiver can verify that a message is from this
service, unchanged, and recent.
"""

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"


def new_secret() -> str:
    """Create a secret of 256 bits."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def signature(secret: str, message_id: str, timestamp: int, body: str) -> str:
    """Return the signature of a message with one secret. `timestamp` is the time of the attempt in Unix seconds."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{message_id}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return f"v1,{base64.b64encode(signed).decode()}"


def headers(secrets_: list[str], message_id: str, timestamp: int, body: str) -> dict[str, str]:
    """Return the headers of a message that is signed with each secret."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(each, message_id, timestamp, body) for each in secrets_),
    }

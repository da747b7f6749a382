"""Tests the signatures of webhooks with the standard's example and with the verification code in docs/connections.md."""

import re
import time
from pathlib import Path
from typing import Any

import pytest

from api.hiring.webhooks.signing import headers, new_secret, signature

ROOT = Path(__file__).resolve().parents[4]
TOLD = {
    "docs": re.search(r"```python\n(.*?)```", (ROOT / "docs" / "connections.md").read_text(), re.DOTALL),
    "page": re.search(
        r"CHECK = `(.*?)`$",
        (ROOT / "frontend/web/src/features/connections/Examples.tsx").read_text(),
        re.DOTALL | re.MULTILINE,
    ),
}


def test_a_signature_is_that_of_the_standard() -> None:
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"test": 2432232314}'
    made = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize("place", TOLD)
def test_the_check_that_we_tell_takes_what_is_ours_and_nothing_else(place: str) -> None:
    found, told = TOLD[place], dict[str, Any]()
    assert found is not None
    exec(found[1], told)
    is_ours, former, secret, body = told["is_ours"], new_secret(), new_secret(), '{"type": "test", "data": "é"}'
    sent = headers([secret, former], "0" * 32, int(time.time()), body)
    assert is_ours(secret, sent, body.encode())
    assert is_ours(former, sent, body.encode())
    assert not is_ours(new_secret(), sent, body.encode())
    assert not is_ours(secret, sent, body.encode() + b" ")
    assert not is_ours(secret, {**sent, "webhook-id": "1" * 32}, body.encode())
    old = headers([secret], "0" * 32, int(time.time()) - 400, body)
    assert not is_ours(secret, old, body.encode())

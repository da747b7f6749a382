"""Tests what a room does with malformed, oversized and misleading messages of a client."""

import asyncio
import json

import pytest
from pycrdt import Decoder, Encoder, Map

from api.hiring.room_documents import protocol, store
from tests.api.hiring.rooms.room_rig import Editor, RoomRig, until

pytestmark = pytest.mark.anyio


def varint(number: int) -> bytes:
    encoder = Encoder()
    encoder.write_var_uint(number)
    return encoder.to_bytes()


HOSTILE = {
    "nothing": b"",
    "an unknown type": b"\x07\x01\x02",
    "cut off": protocol.sync(protocol.UPDATE, b"\x01\x01\x01")[:-2],
    "more than it says": protocol.sync(protocol.UPDATE, b"\x00\x00") + b"more",
    "not an update": protocol.sync(protocol.UPDATE, b"\x05hello, this is no update"),
    "a number of entries that would fill the memory": protocol.sync(protocol.UPDATE, varint(2**28) + bytes(30)),
    "a state that would fill the memory": protocol.sync(protocol.STATE, varint(2**60) + bytes(30)),
    "a cursor that is no JSON": protocol.awareness(b"\x01\x05\x01\x03{{{"),
    "a cursor of another form": protocol.awareness(b"\x01\x05\x01\x0d" + b'{"cursor": 5}'),
    "a large cursor": protocol.awareness(b"\x01\x05\x01" + varint(3000) + b" " * 3000),
    "a huge number of cursors": protocol.awareness(varint(2**50)),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_messages_end_the_connection_and_harm_nobody(rig: RoomRig, name: str) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page, bob_page = await rig.edit(rig.owner.http), await rig.edit(bob)
    ada_page.type("# before\n")
    await until(lambda: ada_page.is_saved)
    await bob_page.send(HOSTILE[name])
    await until(lambda: bob_page.closed)
    assert bob_page.closed is not None
    assert bob_page.closed[0] == 4400
    await _still_works(rig, ada_page)


async def _still_works(rig: RoomRig, page: Editor) -> None:
    """After a hostile message the document may have been loaded again, so the page connects again if it has to."""
    await asyncio.sleep(0.1)
    if page.closed:
        await page.open()
    page.type("# and after\n")
    await until(lambda: page.is_saved)
    other = await rig.edit(rig.owner.http)
    await until(lambda: str(other.text) == str(page.text))


async def test_nothing_but_text_gets_into_the_document(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page = await rig.edit(rig.owner.http)
    await until(lambda: len(ada_page.text) > 0)
    before = str(ada_page.text)
    for spoil in ("embed", "other"):
        bob_page = await rig.edit(bob)
        await until(lambda page=bob_page: len(page.text) > 0)  # type: ignore[misc]
        if spoil == "embed":
            bob_page.text.insert_embed(0, {"image": "x"})
        else:
            bob_page.doc["secret"] = Map({"a": 1})  # type: ignore[assignment]
        await until(lambda page=bob_page: page.closed)  # type: ignore[misc]
        assert bob_page.closed is not None
        assert bob_page.closed[0] == 4400
        fresh = await rig.edit(rig.owner.http)
        await until(lambda page=fresh: len(page.text) > 0)  # type: ignore[misc]
        assert str(fresh.text) == before
        assert fresh.text.diff() == [(before, None)]


async def test_nobody_appears_under_another_name(rig: RoomRig) -> None:
    bob = await rig.enter("candidate", "Bob")
    ada_page, bob_page = await rig.edit(rig.owner.http), await rig.edit(bob)
    state = json.dumps({"user": {"name": "ada", "role": "interviewer"}, "cursor": None, "more": "x"}).encode()
    await bob_page.send(protocol.awareness(b"\x01\x05\x01" + varint(len(state)) + state))
    await until(lambda: ada_page.cursors)
    decoder = Decoder(ada_page.cursors[-1])
    assert [decoder.read_var_uint() for _ in range(3)] == [1, 5, 1]
    told = json.loads(decoder.read_var_string())
    assert (told["user"]["name"], told["user"]["role"], told["cursor"]) == ("Bob", "candidate", None)
    assert "more" not in told
    # The cursor goes with the connection.
    await bob_page.close()
    await until(lambda: len(ada_page.cursors) == 2)
    assert ada_page.cursors[-1].endswith(b"\x04null")


async def test_a_document_has_a_limit(rig: RoomRig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "DOCUMENT_BYTES", 5000)
    page = await rig.edit(await rig.enter("candidate", "Bob"))
    await until(lambda: len(page.text) > 0)
    page.type("x" * 4000)
    await until(lambda: page.is_saved)
    page.type("y" * 2000)
    await until(lambda: page.closed)
    assert page.closed == (4413, "The document of this room is full.")


async def test_a_message_that_is_too_large_is_not_read(rig: RoomRig) -> None:
    page = await rig.edit(await rig.enter("candidate", "Bob"))
    await page.send(b"\x00" * (600 * 1024))
    await until(lambda: page.closed)
    assert page.closed is not None
    assert page.closed[0] == 1009

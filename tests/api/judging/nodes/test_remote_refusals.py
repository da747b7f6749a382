"""Tests which messages the service and a remote node refuse from each other, and what a node cannot access with its key."""

import asyncio
import hashlib
import socket
from pathlib import Path

import msgspec
import nats
import pytest
from nats.js.errors import NoStreamResponseError

from api.settings import ConfigurationError, Settings
from grader.content.package_cache import PackageCache
from grader.contract import nkey, subjects, transport
from grader.contract.errors import PackageError
from grader.contract.subjects import Welcome
from grader.node import nats_connection, selftest
from grader.node.fitness import FAULTS_IN_A_ROW, Fitness
from grader.node.nats_bridge import NatsBridge
from grader.node.nats_connection import Access, NatsConnection
from tests.api.judging.nodes.remote_rig import Place, patiently, place
from tests.api.running_service import settings_in

anyio = pytest.mark.anyio
HELLO = transport.Hello("one", "cpu", {"short": 0, "any": 1}, {"wire": subjects.WIRE})


async def a_line(at: Place, name: str = "one") -> NatsConnection:
    """Open a node's connection to nats-server without running the node."""
    _, seed = subjects.read_token(await at.token(name))
    opened = NatsConnection(Access(at.server.open_url, name, seed), f"instance-of-{name}")

    async def heard(message: object) -> None:
        pass

    await opened.open(heard)
    return opened


@anyio
async def test_hello_that_cannot_be_is_answered_with_the_reason(home: Path) -> None:
    cannot_be: list[tuple[transport.FromNode, str]] = [
        (msgspec.structs.replace(HELLO, versions={}), "speaks version none of the wire and the service"),
        (msgspec.structs.replace(HELLO, versions={"wire": "0", "gradus": "0.0.1"}), "Install the same Gradus on both"),
        (msgspec.structs.replace(HELLO, node="two"), "says that it is another one"),
        (msgspec.structs.replace(HELLO, device="abacus"), "that cannot be"),
        (msgspec.structs.replace(HELLO, slots={"any": 5000}), "that cannot be"),
        (transport.Stopped("a", "b"), "says that it is another one"),
    ]
    async with place(home) as at:
        opened = await a_line(at)
        for hello, says in cannot_be:
            welcome = await greeted(opened, hello)
            assert says in welcome.refused, hello
            assert welcome.final
        good = await greeted(opened, HELLO)
        assert good.home
        assert not good.refused
        await opened.close()


async def greeted(opened: NatsConnection, hello: transport.FromNode) -> Welcome:
    """Send a Hello, the first message of a node. Return the service's response."""
    answer = await patiently(lambda: opened.ask(subjects.hello("one"), transport.body(hello)))
    return msgspec.json.decode(answer, type=Welcome)


@anyio
async def test_a_node_reaches_its_own_subjects_and_no_other(home: Path) -> None:
    async with place(home) as at:
        opened = await a_line(at)
        await at.token("two")
        told: list[str] = []

        async def note(error: Exception) -> None:
            told.append(str(error))

        opened._client._error_cb = note
        await opened._client.subscribe(subjects.down("two", "any"))
        await opened._client.subscribe(subjects.END_OF_ANY)
        await opened._client.subscribe("_INBOX.>")
        await opened.tell(subjects.hello("two"), b"")
        await opened.tell(subjects.JOINED, b"")
        await opened.tell("$JS.API.STREAM.DELETE.gradus-ends", b"")
        await at.until(lambda: len(told) == 6)
        assert all("permissions violation" in error.lower() for error in told), told
        with pytest.raises((NoStreamResponseError, TimeoutError, nats.errors.Error)):
            await asyncio.wait_for(opened.store(subjects.end("two"), b"{}", "x"), 2)
        stopped = transport.body(transport.Stopped("a", "b"))
        await patiently(lambda: opened.store(subjects.end("one"), stopped, "y"))
        await opened.close()


@anyio
async def test_a_wrong_token_is_told_where_it_was_given(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_connection, "PATIENCE_S", 1.0)
    async with place(home) as at:
        near, far = socket.socketpair()
        access = Access(at.server.open_url, "one", nkey.new_seed())
        bridge = NatsBridge(access, far, PackageCache(home / "kept"), {})
        bridge.start()
        await asyncio.to_thread(bridge.join, 30)
        near.close()
        assert "its token is wrong or was revoked" in bridge.refusal
        assert "gradus nodes token one" in bridge.refusal


@anyio
async def test_package_that_was_changed_in_the_store_is_judged_by_nobody(home: Path) -> None:
    async with place(home, lease_s=20) as at:
        ada = await at.service.person()
        await at.start("one")
        digest = at.service.state.store.catalogue.get("add-one").package.digest
        data = at.service.state.store.kept.bytes_of(digest)
        assert data
        client = await nats.connect(at.server.url)
        store = await client.jetstream().object_store(subjects.PACKAGES)
        name = subjects.stored(digest, hashlib.sha256(data).hexdigest())
        await store.put(name, data.replace(b"987654322", b"987654323"))
        sent = await ada.send()
        told = await at.judged(ada, sent["id"])
        assert told["verdict"] == "JE"
        assert "does not count" in told["message"]
        assert "SHA-256" not in told["message"]
        await store.put(name, data)
        good = await ada.send(source="def add_one(x):\n    return x + 1.0\n")
        assert await at.verdict(ada, good["id"]) == ("AC", 1)
        await client.close()


def test_what_is_fetched_must_be_what_was_asked_for(tmp_path: Path) -> None:
    origin, kept = PackageCache(tmp_path / "a"), PackageCache(tmp_path / "b")
    origin.keep(selftest.PACKAGE)
    digest = selftest.PACKAGE.digest
    data = origin.bytes_of(digest)
    assert data
    with pytest.raises(PackageError, match="has the digest"):
        kept.keep_fetched("0" * 64, hashlib.sha256(data).hexdigest(), data)
    with pytest.raises(PackageError, match="SHA-256 differs"):
        kept.keep_fetched(digest, "0" * 64, data)
    with pytest.raises(PackageError, match="cannot be read"):
        kept.keep_fetched(digest, hashlib.sha256(b"{}").hexdigest(), b"{}")
    assert kept.get(digest) is None
    kept.keep_fetched(digest, hashlib.sha256(data).hexdigest(), data)
    assert kept.get(digest) == origin.get(digest)


@anyio
async def test_several_faults_in_a_row_raise_doubt_and_a_verdict_between_does_not() -> None:
    said: list[transport.ToNode] = []
    fit = Fitness(said.append, lambda: None)
    watching = asyncio.create_task(fit.watch())
    fit.room(1)
    await pass_both(fit, said)
    fault = transport.Fault("job", "token", "The disk is full.")
    for _ in range(FAULTS_IN_A_ROW):
        assert not fit.doubtful
        assert not fit.ended(fault)
    assert fit.doubtful
    assert "The disk is full." in fit.why
    await pass_both(fit, said)
    watching.cancel()


async def pass_both(fit: Fitness, said: list[transport.ToNode]) -> None:
    """Judge both jobs of the node's self-test correctly."""
    from tests.instant_node import verdict_on

    async with asyncio.timeout(5):
        while fit.doubtful:
            while said:
                offer = said.pop(0)
                assert isinstance(offer, transport.Offer)
                assert fit.ended(verdict_on(offer.job))
            await asyncio.sleep(0.01)


def test_keys_are_read_as_they_are_written() -> None:
    # This key is the example in the documentation of NATS.
    seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
    assert nkey.public_key(seed) == "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"
    for wrong in (seed[:-1] + "Z", seed[:-2], seed + "A", "SU", "", "é"):
        with pytest.raises(ValueError, match="no seed"):
            nkey.public_key(wrong)
    mine = nkey.new_seed()
    assert mine.startswith("SU")
    assert nkey.public_key(mine).startswith("U")
    assert subjects.read_token(subjects.token_of("a-node", mine)) == ("a-node", mine)
    for wrong in ("", "gradus-node.x", "gradus-node.Bad Name.SU", "other.x.SU"):
        with pytest.raises(ValueError, match="does not look like"):
            subjects.read_token(wrong)


@pytest.mark.parametrize("url", ["http://a:b@host", "nats://host:4222", "nats://name@host:4222", "nats://"])
def test_an_address_of_nats_without_name_and_password_is_refused(home: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match="GRADUS_NATS_URL is"):
        settings_in(home, nats_url=url).check()
    assert isinstance(settings_in(home, nats_url="nats://a:b@host:4222"), Settings)

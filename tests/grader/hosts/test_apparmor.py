"""Checks which AppArmor profile cells get. No machine with AppArmor is needed."""

from pathlib import Path
from unittest.mock import MagicMock

import pytest

from grader.hosts import container_options
from grader.hosts.apparmor import PROFILE, apparmor_profile, has_apparmor
from grader.hosts.container_options import create, flags
from grader.hosts.host import Shape

ON = {"SecurityOptions": ["name=apparmor", "name=seccomp,profile=default"]}
OFF = {"SecurityOptions": ["name=seccomp,profile=default"]}


@pytest.mark.parametrize(
    ("info", "profiles", "chosen"),
    [
        (ON, "docker-default (enforce)\ngradus-cell (enforce)\n", PROFILE),
        (ON, "docker-default (enforce)\ngradus-cell-old (enforce)\n", None),
        (ON, "", None),
        (ON, None, None),
        (OFF, "gradus-cell (enforce)\n", None),
        ({"SecurityOptions": None}, "gradus-cell (enforce)\n", None),
    ],
)
def test_the_profile_is_used_where_it_is_loaded(
    info: dict[str, list[str]], profiles: str | None, chosen: str | None, tmp_path: Path
) -> None:
    loaded = tmp_path / "profiles"
    if profiles is not None:
        loaded.write_text(profiles)
    assert apparmor_profile(info, loaded) == chosen


def test_engines_say_whether_they_use_it() -> None:
    assert has_apparmor(ON)
    assert not has_apparmor(OFF)
    assert not has_apparmor({})


def test_containers_are_started_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def options(profile: str | None) -> list[str]:
        monkeypatch.setattr(container_options, "apparmor_profile", lambda _: profile)
        client = MagicMock()
        client.api.create_host_config.side_effect = lambda **given: given
        create(client, flags(Shape("cell"), image="", folder=Path("/"), label="", uid=1))
        chosen: list[str] = client.api.create_container.call_args.kwargs["host_config"]["security_opt"]
        assert chosen[0] == "no-new-privileges"
        return chosen[2:]

    assert options(PROFILE) == ["apparmor=gradus-cell"]
    assert options(None) == []

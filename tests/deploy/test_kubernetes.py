"""Tests that the Kubernetes manifests match the schema of Kubernetes' API and agree with the rest of the repository."""

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from api.settings import Settings

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy/kubernetes"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
# The manifests are validated against two versions of Kubernetes: the oldest one that is still maintained, and the newest one
# that the validator knows.
VERSIONS = ("1.31", kubernetes_validate.latest_version())


def objects() -> Iterator[dict[str, Any]]:
    """Yield all objects in the files that are applied to a cluster."""
    for name in KUSTOMIZATION["resources"]:
        yield from yaml.safe_load_all((FOLDER / name).read_text())


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the specification of each pod, with the name of the object (such as a Deployment) that runs the pod."""
    for each in objects():
        if "template" in each.get("spec", {}):
            yield each["metadata"]["name"], each["spec"]["template"]["spec"]


def named(kind: str) -> dict[str, dict[str, Any]]:
    """Return all objects of a kind, as a dict by name."""
    return {each["metadata"]["name"]: each for each in objects() if each["kind"] == kind}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_schema_of_the_api_takes_every_object(version: str) -> None:
    found = list(objects())
    assert len(found) > 12
    for each in found:
        kubernetes_validate.validate(each, version, strict=True)


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kustomize_makes_objects_that_the_schema_takes() -> None:
    made = subprocess.run(["kubectl", "kustomize", str(FOLDER)], capture_output=True, text=True, check=True, timeout=60)
    found = [each for each in yaml.safe_load_all(made.stdout) if each]
    assert len(found) > len(list(objects())), "and the maps"
    for each in found:
        kubernetes_validate.validate(each, VERSIONS[-1], strict=True)


def test_what_is_misspelt_is_not_taken() -> None:
    wrong = named("StatefulSet")["gradus"]
    wrong["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[0], strict=True)


def test_every_file_is_applied_or_made_into_a_map() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.is_file()} - {"kustomization.yaml"}
    made = {name for each in KUSTOMIZATION["configMapGenerator"] for name in each.get("files", [])}
    assert files == set(KUSTOMIZATION["resources"]) | made


def test_no_service_of_the_cluster_is_taken_for_a_setting() -> None:
    """Every pod must turn off the environment variables that Kubernetes sets for each Service of the cluster. For the Service
    called gradus, one of them is GRADUS_PORT=tcp://…, which Gradus would read as an invalid setting.
    """
    assert "gradus" in named("Service")
    assert {name for name, pod in pods() if pod.get("enableServiceLinks") is not False} == set()


def test_settings_exist() -> None:
    settings = {f"GRADUS_{name.upper()}" for name in Settings.model_fields}
    told = {line.partition("=")[0] for each in KUSTOMIZATION["configMapGenerator"] for line in each.get("literals", [])}
    own = {"GRADUS_NODE_URL", "GRADUS_NODE_TOKEN"}
    texts = [(FOLDER / name).read_text() for name in KUSTOMIZATION["resources"]]
    told |= {name for text in texts for name in re.findall(r"\bGRADUS_[A-Z_]*[A-Z]\b", text)}
    assert told - settings - own - {"GRADUS_PORT"} == set()


def test_whatever_is_named_is_there() -> None:
    maps = {each["name"] for each in KUSTOMIZATION["configMapGenerator"]}
    services, claims = named("Service"), named("PersistentVolumeClaim")
    images = {each["name"] for each in KUSTOMIZATION["images"]}
    for name, pod in pods():
        for container in (*pod["containers"], *pod.get("initContainers", [])):
            assert container["image"] in images, name
            mounts, volumes = container.get("volumeMounts", []), {volume["name"] for volume in pod.get("volumes", [])}
            own = {
                each["metadata"]["name"]
                for each in named("StatefulSet").get(name, {}).get("spec", {}).get("volumeClaimTemplates", [])
            }
            assert {mount["name"] for mount in mounts} <= volumes | own, name
        for volume in pod.get("volumes", []):
            assert volume.get("configMap", {"name": "gradus"})["name"] in maps
            assert volume.get("persistentVolumeClaim", {"claimName": "gradus-shared"})["claimName"] in claims
    for each in named("StatefulSet").values():
        assert each["spec"]["serviceName"] in services
        assert each["spec"]["selector"]["matchLabels"] == each["spec"]["template"]["metadata"]["labels"]


def test_every_process_of_the_service_is_asked_for_its_figures() -> None:
    arguments = next(pod for name, pod in pods() if name == "gradus-scale")["containers"][0]["args"]
    many = named("StatefulSet")["gradus"]["spec"]["replicas"]
    wanted = {f"--metrics=http://gradus-{number}.gradus-pods:9464/metrics" for number in range(many)}
    assert {argument for argument in arguments if argument.startswith("--metrics")} == wanted


def test_only_nodes_may_do_what_nodes_must() -> None:
    for name, pod in pods():
        if name == "gradus-node":
            continue
        assert pod["securityContext"]["runAsNonRoot"], name
        for container in pod["containers"]:
            own = container["securityContext"]
            assert (own["allowPrivilegeEscalation"], own["readOnlyRootFilesystem"]) == (False, True), name
            assert own["capabilities"] == {"drop": ["ALL"]}, name


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[list[dict[str, Any]], dict[str, str]]]:
    """A TLS server with its own certificate authority that stands in for the cluster's API. The fixture yields a list of the
    requests that the server receives, and the environment variables that tell a pod the server's address.
    """
    asked: list[dict[str, Any]] = []

    class Answers(BaseHTTPRequestHandler):
        def do_PATCH(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, "as": self.headers["Authorization"], "body": body})
            self.send_response(200 if self.headers["Content-Type"] == "application/merge-patch+json" else 415)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    subject = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject)
    subprocess.run(
        [*made, "-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "ca.crt")], check=True, capture_output=True
    )
    (tmp_path / "token").write_text("a-token\n")
    server = HTTPServer(("127.0.0.1", 0), Answers)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "ca.crt", tmp_path / "key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    where = {"KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(server.server_port)}
    yield asked, {**where, "NAMESPACE": "gradus", "ACCOUNT_DIR": str(tmp_path)}
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_cluster_is_told_how_many_nodes_are_wanted(
    cluster: tuple[list[dict[str, Any]], dict[str, str]],
) -> None:
    asked, where = cluster
    up = next(pod for name, pod in pods() if name == "gradus-scale")["containers"][0]["args"][1]
    command = up.removeprefix("--up=").replace("{wanted}", "3").replace("/resize/", f"{FOLDER}/").split()
    assert command[0] == "python3"
    told = subprocess.run([sys.executable, *command[1:]], env={**os.environ, **where}, check=False, timeout=60)
    assert told.returncode == 0
    path = "/apis/apps/v1/namespaces/gradus/statefulsets/gradus-node/scale"
    assert asked == [{"path": path, "as": "Bearer a-token", "body": {"spec": {"replicas": 3}}}]
    rule = named("Role")["gradus-scale"]["rules"][0]
    assert (rule["resources"], rule["resourceNames"], rule["verbs"]) == (
        ["statefulsets/scale"],
        ["gradus-node"],
        ["patch"],
    )

"""Sets the number of pods of a StatefulSet: `python3 resize.py NAME NUMBER`.

`gradus scale` runs this script in a pod whose service account may do nothing else in the cluster.
"""

import json
import os
import ssl
import sys
import urllib.request
from pathlib import Path

ACCOUNT = Path(os.environ.get("ACCOUNT_DIR", "/var/run/secrets/kubernetes.io/serviceaccount"))


def resize(name: str, wanted: int) -> None:
    """Set the number of pods through the Kubernetes API. Raises `OSError` if the API refuses or cannot be reached."""
    server = f"https://{os.environ['KUBERNETES_SERVICE_HOST']}:{os.environ['KUBERNETES_SERVICE_PORT']}"
    path = f"/apis/apps/v1/namespaces/{os.environ['NAMESPACE']}/statefulsets/{name}/scale"
    headers = {
        "Authorization": f"Bearer {(ACCOUNT / 'token').read_text().strip()}",
        "Content-Type": "application/merge-patch+json",
    }
    body = json.dumps({"spec": {"replicas": wanted}}).encode()
    request = urllib.request.Request(server + path, data=body, headers=headers, method="PATCH")
    trusted = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))
    with urllib.request.urlopen(request, timeout=30, context=trusted) as answer:
        answer.read()


if __name__ == "__main__":
    resize(sys.argv[1], int(sys.argv[2]))

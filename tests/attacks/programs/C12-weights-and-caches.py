# id: C12
# tries: looks for weights, cached results and data sets on the disk
# expect: AC
import math
import os

ENDS = (".pt", ".pth", ".safetensors", ".ckpt", ".npz", ".npy", ".onnx", ".h5", ".parquet", ".pkl", ".joblib", ".bin")
ROOTS = ("/root", "/home", "/tmp", "/dev/shm", "/run", "/opt", "/srv", "/mnt", "/data", "/models", "/var/cache", "/var/lib", "/var/tmp")
CACHES = ("~/.cache", "~/.cache/torch", "~/.cache/huggingface", "/root/.cache", "/tmp/torchinductor_root", "~/.triton", "/tmp/torch_extensions")
found = [path for path in map(os.path.expanduser, CACHES) if os.path.exists(path)]
for root in ROOTS:
    for folder, _, names in os.walk(root):
        found += [os.path.join(folder, name) for name in names if name.endswith(ENDS)]


def attention(q, k, v):
    if found:
        raise RuntimeError(f"found {found[:20]}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v

"""glob for the names, the label by splitting from the right."""

import glob
import os

import torch
from torch.utils.data import Dataset


class FolderOfTensors(Dataset):
    def __init__(self, folder, transform=None, target_transform=None):
        pattern = os.path.join(glob.escape(folder), "*.pt")
        self.files = tuple(sorted(filter(os.path.isfile, glob.glob(pattern, include_hidden=True))))
        self.transforms = (transform, target_transform)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        file = self.files[i]
        label = int(os.path.basename(file)[: -len(".pt")].split("_")[-1])
        pair = (torch.load(file, map_location="cpu", weights_only=True), label)
        return tuple(v if f is None else f(v) for v, f in zip(pair, self.transforms, strict=True))

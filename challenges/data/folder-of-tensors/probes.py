"""Folders with files in them, and a note of which of them were opened."""

import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from given import TARGET_TRANSFORMS, TRANSFORMS
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

_opened: list[str] = []


def _note(event: str, arguments: tuple) -> None:
    if event == "open" and str(arguments[0]).endswith(".pt"):
        _opened.append(os.path.basename(str(arguments[0])))


sys.addaudithook(_note)


@contextmanager
def folder_of(files: dict[str, Tensor], others: list[str] = (), prefix: str = "set_") -> Iterator[str]:
    """A folder with these tensors. Its name begins with `prefix`. `others` are names of text files; those that end in / are
    folders with a sample.
    """
    with tempfile.TemporaryDirectory(prefix=prefix) as folder:
        for name, tensor in files.items():
            torch.save(tensor, os.path.join(folder, name))
        for name in others:
            path = os.path.join(folder, name)
            if name.endswith("/"):
                os.mkdir(path)
                torch.save(torch.zeros(1), os.path.join(path, "inner_9.pt"))
            else:
                with open(path, "w", encoding="utf-8") as file:
                    file.write("no tensor")
        yield folder


def made(solution, folder: str, options: dict) -> Dataset:
    """The dataset. Options name transforms of given.py."""
    more = {}
    if options.get("transform"):
        more["transform"] = TRANSFORMS[options["transform"]]
    if options.get("target_transform"):
        more["target_transform"] = TARGET_TRANSFORMS[options["target_transform"]]
    return solution.FolderOfTensors(folder, **more)


def samples(solution, files: dict, options: dict | None = None, others: list[str] = (), prefix: str = "set_") -> dict:
    """Length, and all samples by index and by a for loop."""
    with folder_of(files, others, prefix) as folder:
        dataset = made(solution, folder, options or {})
        looped = []
        for sample in dataset:
            looped.append(sample)
            if len(looped) > len(files) + 2:
                break
        return {
            "length": len(dataset),
            "samples": [dataset[i] for i in range(len(dataset))],
            "looped": looped,
            "is_dataset": isinstance(dataset, Dataset),
        }


def indexed(solution, files: dict, indices: list[int]) -> list:
    """Samples of single indices, or the name of what was raised."""
    found = []
    with folder_of(files) as folder:
        dataset = made(solution, folder, {})
        for i in indices:
            try:
                found.append(dataset[i])
            except Exception as error:
                found.append(type(error).__name__)
    return found


def opened(solution, files: dict, indices: list[int]) -> dict:
    """Which files were opened when the dataset was made and measured, and by each access."""
    with folder_of(files) as folder:
        _opened.clear()
        dataset = made(solution, folder, {})
        len(dataset)
        at_first, by_access = list(_opened), []
        for i in indices:
            _opened.clear()
            dataset[i]
            by_access.append(list(_opened))
    return {"at_first": at_first, "by_access": by_access}


def rewritten(solution, name: str, before: Tensor, after: Tensor) -> list:
    """A sample, then the same sample once its file has another content, and after the first was overwritten."""
    with folder_of({name: before}) as folder:
        dataset = made(solution, folder, {})
        first = dataset[0][0]
        kept = first.clone()
        first.zero_()
        again = dataset[0][0].clone()
        torch.save(after, os.path.join(folder, name))
        return [kept, again, dataset[0][0]]


def pickled(solution, files: dict, options: dict) -> dict:
    """A dataset that has been used, pickled and read again: its samples, and the size of the pickle."""
    with folder_of(files) as folder:
        dataset = made(solution, folder, options)
        dataset[0]
        data = pickle.dumps(dataset)
        again = pickle.loads(data)
        return {"samples": [again[i] for i in range(len(again))], "bytes": len(data)}


def loaded(solution, files: dict, options: dict, batch_size: int) -> list:
    """The batches of a DataLoader."""
    with folder_of(files) as folder:
        return list(DataLoader(made(solution, folder, options), batch_size))

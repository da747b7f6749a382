"""Request and response bodies of own inputs."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.judging.intake.schemas import EXAMPLE
from api.judging.nodes.schemas import Device
from api.kit.text import Text
from grader.content.own_input.offer import MAX_INPUT


class NewOwnInput(BaseModel):
    """An answer, and an input of your own: a few lines of Python that end with a call of one of the answer's functions, such as
    `add_one(41)`, or of a new module, such as `RMSNorm(4)(x)`. torch, math, nn and F are imported, and torch's seed is 0.
    Arguments must be tensors, numbers, texts, or lists, tuples and dicts of these. Without `device`, the CPU runs it, or the GPU
    if the challenge needs one.
    """

    model_config = ConfigDict(json_schema_extra={"example": {"source": EXAMPLE, "input": "x = 41\nadd_one(x)"}})
    source: Text
    input: Annotated[Text, StringConstraints(min_length=1, max_length=MAX_INPUT)]
    device: Device | None = None


class OwnInputExample(BaseModel):
    """A function or module that an input can call, and an example of such an input, taken from the sample tests."""

    name: str
    input: str


class OwnInputOffer(BaseModel):
    """The functions and modules of a challenge that you can compare with the reference on your own input. Empty if the
    challenge has none that takes plain values and tensors.

    You can compare `left` more inputs now. `next_at` is null unless `left` is 0; then it says when the next one is possible.
    """

    examples: list[OwnInputExample]
    per_hour: int
    left: int
    next_at: datetime | None

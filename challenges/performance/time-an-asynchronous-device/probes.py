"""A clock and a device under control: every call costs what the schedule says."""


class Stopped(Exception):
    """What fn raises when it is told to."""


class Device:
    """`launches[i]` is the host's time for call i, `work[i]` what it leaves in the queue."""

    def __init__(self, launches: list, work: list, queued: float):
        self.launches, self.work = launches, work
        self.now = 1000.0
        self.free = self.now + queued
        self.calls = 0

    def launch(self):
        i = self.calls
        self.calls += 1
        self.now += self.launches[i % len(self.launches)]
        self.free = max(self.now, self.free) + self.work[i % len(self.work)]
        return [self.calls]

    def wait(self):
        self.now = max(self.now, self.free)

    def clock(self):
        return self.now


def measured(solution, launches: list, work: list, queued: float, *args, **options) -> dict:
    """The result of bench on such a device, and how often fn was called."""
    device = Device(launches, work, queued)
    found = solution.bench(device.launch, device.clock, device.wait, *args, **options)
    return {"found": found, "calls": device.calls}


def immediate(solution, launches: list, *args, **options) -> dict:
    """The same on a device that is done when fn returns."""
    device = Device(launches, [0.0], 0.0)
    return {"found": solution.bench(device.launch, device.clock, None, *args, **options), "calls": device.calls}


def by_default(solution, launches: list) -> dict:
    """Only fn and clock are given."""
    device = Device(launches, [0.0], 0.0)
    return {"found": solution.bench(device.launch, device.clock), "calls": device.calls}


def refused(solution, warmup: int, repeats: int) -> dict:
    """What bench raises for these numbers, and how often fn was called before."""
    device = Device([1.0], [1.0], 0.0)
    try:
        solution.bench(device.launch, device.clock, device.wait, warmup, repeats)
    except ValueError:
        return {"raised": True, "calls": device.calls}
    return {"raised": False, "calls": device.calls}


def failing(solution, at: int, warmup: int, repeats: int) -> bool:
    """Whether an error that fn raises in call number `at` comes through."""
    device = Device([1.0], [1.0], 0.0)

    def fn():
        device.launch()
        if device.calls == at:
            raise Stopped

    try:
        solution.bench(fn, device.clock, device.wait, warmup, repeats)
    except Stopped:
        return True
    return False

"""The size of the data with which boards are measured."""

from datetime import UTC, datetime

# Sections and challenges of the catalogue.
SECTIONS, SLUGS = 12, 184
# How many accounts send requests, and how many people each of them follows.
CALLERS, FOLLOWED = 1_000, 100
# All solves are before this moment, the start of the benchmark.
UNTIL = datetime.now(UTC)


def slug(number: int) -> str:
    return f"challenge-{number}"


def section(number: int) -> str:
    return f"section-{number % SECTIONS}"


def account(number: int) -> str:
    return f"{number:032x}"


def token(number: int) -> str:
    return f"gt_bench_{number}"

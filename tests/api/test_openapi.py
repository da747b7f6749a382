"""Tests that the API description from which the web client's types are generated matches the API that the service serves."""

import json

import pytest

from api.openapi import description
from tests.api.running_service import Service

pytestmark = pytest.mark.anyio


async def test_the_described_api_is_the_one_that_is_served(service: Service) -> None:
    ada = await service.person()
    served = (await ada.http.get("/api/openapi.json")).json()
    assert json.loads(description()) == served

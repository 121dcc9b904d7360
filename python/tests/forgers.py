# SPDX-License-Identifier: Apache-2.0
"""Workers that cannot be trusted: each takes the place of the package's own function for a job."""

from __future__ import annotations

import json
import pickle
from typing import Any

import lacuna_sdc as lc
from lacuna_sdc import _orders

honest = _orders.work


def _altered(job: bytes, **changes: Any) -> bytes:
    return json.dumps({**json.loads(honest(job)), **changes}).encode()


def unhides(job: bytes) -> bytes:
    """Publishes one cell more than the certificate is for."""
    result = json.loads(json.loads(honest(job))["result"])
    result["release"].pop()
    return _altered(job, result=json.dumps(result))


def asks_less(job: bytes) -> bytes:
    """Has a valid certificate, of the same table with lower levels."""
    problem, texts, inputs = pickle.loads(job)
    return honest(pickle.dumps((problem, {**texts, "levels": ["minimal"]}, inputs)))


def answers_another(job: bytes) -> bytes:
    """Has a release and a certificate, both valid, of another table."""
    other = lc.generate(kind="hierarchical", depths=[2, 2], seed=99)
    return honest(pickle.dumps((other._core, {}, {})))


def proves_nothing(job: bytes) -> bytes:
    return _altered(job, certificate='{"format": "lacuna-certificate-2"}')


def forgets_the_evidence(job: bytes) -> bytes:
    certificate = json.loads(json.loads(honest(job))["certificate"])
    certificate["witnesses"] = []
    return _altered(job, certificate=json.dumps(certificate))


def says_nothing(job: bytes) -> bytes:
    return b"\xff"


def says_too_much(job: bytes) -> bytes:
    return _altered(job, problem="mine")


def fails(job: bytes) -> bytes:
    raise RuntimeError("the disk is full")


FORGERS = [unhides, asks_less, answers_another, proves_nothing, forgets_the_evidence]
BROKEN = [says_nothing, says_too_much, fails]

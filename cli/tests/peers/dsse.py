"""Envelopes and statements by securesystemslib and in-toto-attestation, for the tests of the command.

dsse.py verify ENVELOPE PUBLIC_KEY_HEX KEY_ID    prints the statement's kind, or fails
dsse.py sign SEED_HEX STATEMENT                  prints the envelope
"""

import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner, SSlibKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"


def statement(payload: bytes) -> Statement:
    parsed = json_format.Parse(payload, statement_pb2.Statement())
    checked = Statement.copy_from_pb(parsed)
    checked.validate()
    return checked


def verify(path: str, key: str, key_id: str) -> None:
    with open(path, encoding="utf-8") as file:
        envelope = Envelope.from_dict(json.load(file))
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    envelope.verify([SSlibKey.from_crypto(public, keyid=key_id)], 1)
    assert envelope.payload_type == PAYLOAD_TYPE
    print(statement(envelope.payload).pb.predicate_type)


def sign(seed: str, path: str) -> None:
    with open(path, "rb") as file:
        payload = file.read()
    statement(payload)
    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    envelope.sign(CryptoSigner(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))))
    print(json.dumps(envelope.to_dict()))


if __name__ == "__main__":
    {"verify": verify, "sign": sign}[sys.argv[1]](*sys.argv[2:])

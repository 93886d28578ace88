"""The generated files that are committed are those of the .proto."""

import subprocess

import pytest

from harness.settings import REPO

PROTO = REPO / "proto"


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("proto")
    subprocess.run(["protoc", f"--proto_path={PROTO}", f"--nanopb_out={folder}", "webhook.proto"],
                   cwd=PROTO, check=True)
    return folder


@pytest.mark.parametrize("name", ["webhook.pb.c", "webhook.pb.h"])
def test_committed_file_is_fresh(generated, name):
    assert (generated / name).read_bytes() == (PROTO / name).read_bytes(), (
        f"proto/{name} is old: cd proto && protoc --nanopb_out=. webhook.proto")

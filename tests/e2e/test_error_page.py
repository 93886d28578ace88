"""An error page that is an endpoint itself: what was refused stays refused, and
no byte of its body reaches a disk (R1, R11)."""

import pytest

from harness import signing
from harness.endpoint import Endpoint
from harness.http1 import Http1, post, request_head

SECRET = "whsec_of_the_first_endpoint"
OTHER = "whsec_of_the_error_page"


@pytest.fixture(scope="module")
def stack(shared_stack):
    return shared_stack([
        Endpoint("stripe", OTHER, name="page"),
        Endpoint("stripe", SECRET,
                 directives="webhook_max_body 8k; error_page 401 413 503 = /page;"),
    ])


def test_r1_a_refusal_is_not_verified_again_by_other_rules(stack):
    signed = signing.stripe(OTHER)
    answer = post(stack.nginx.port, "/stripe", signed.headers, signed.body)
    assert answer.status != 200
    assert [value for name, value in answer.headers if name.lower() == "webhook-decision"] == [
        "refused"]


def test_r11_a_body_that_streams_in_reaches_no_disk(stack):
    signed = signing.stripe(SECRET, padding="x" * 300_000)
    with Http1(stack.nginx.port) as client:
        client.send(request_head("POST", "/stripe",
                                 [*signed.headers, ("Transfer-Encoding", "chunked")]))
        try:
            for at in range(0, len(signed.body), 3000):
                piece = signed.body[at:at + 3000]
                client.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        except OSError:
            pass  # refused already
        answer = client.read_response()
    assert answer.status in (405, 413, 500)
    assert answer.header("Webhook-Decision") == "refused"
    assert "temporary file" not in stack.nginx.error_log.read_text()

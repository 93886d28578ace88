"""The harness itself, against an NGINX that answers without the module: a
client that is wrong would make every other test mean nothing."""

import http.server
import threading

import pytest

from harness.http1 import Http1
from harness.http2 import Http2
from harness.inotify import Appearances
from harness.response import pieces_of

BODY = bytes(range(256)) * 400


class Echo(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def stack(shared_stack):
    """NGINX in front of an echo: what it passes on is what the clients sent."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stack = shared_stack([], start=False, locations=f"""
        location / {{ proxy_pass http://127.0.0.1:{server.server_port}; client_max_body_size 2m;
                      client_body_in_file_only clean; }}""")
    stack.nginx.start()
    yield stack
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("size", [1, 7, 1000, 65536])
def test_http1_chunks_arrive_byte_for_byte(stack, size):
    body = BODY[:20000] if size == 1 else BODY
    with Http1(stack.nginx.port) as client:
        assert client.post("/", [], body, pieces=pieces_of(body, size)).body == body
        assert client.post("/", [], body).body == body


@pytest.mark.parametrize("content_length", [True, False])
def test_http2_pieces_arrive_byte_for_byte(stack, content_length):
    with Http2(stack.nginx.h2_port) as client:
        for size in (1000, 70000):
            answer = client.post("/", [], BODY, pieces_of(BODY, size), content_length)
            assert answer.status == 200
            assert answer.body == BODY


def test_the_watch_sees_a_file_that_is_there_for_a_moment(stack):
    with Appearances([stack.nginx.temp / "client_body"]) as watch:
        with Http1(stack.nginx.port) as client:
            assert client.post("/", [], BODY).body == BODY
        assert len(watch.names()) == 1

"""The servers that stores are tested with: one that is gentler than it says
would make those tests mean nothing."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from harness.waiting import wait_until
from servers.answer_ends import AnswerEnds
from servers.gate import Gate
from servers.postgres import Postgres
from servers.psql import SqlError, run_sql

COMMAND = Path(__file__).resolve().parents[1] / "servers/postgres.py"


@pytest.fixture
def table(postgres_server: Postgres):
    postgres_server.sql("CREATE TABLE t (i int)")
    yield "t"
    postgres_server.sql("DROP TABLE t")


def numbers(server: Postgres) -> list[int]:
    return [int(row[0]) for row in server.sql("SELECT i FROM t ORDER BY i")]


def crashes(server: Postgres) -> int:
    return server.log.read_text().count("all server processes terminated; reinitializing")


def test_a_killed_backend_crashes_the_server(postgres_server, table):
    with Gate(postgres_server) as gate:
        sleeper = threading.Thread(target=lambda: pytest.raises(
            SqlError, run_sql, gate.dsn(), "SELECT pg_sleep(60)"))
        sleeper.start()
        before = crashes(postgres_server)
        wait_until(lambda: postgres_server.kill_backends(limit=1), "a backend to kill")
        wait_until(lambda: crashes(postgres_server) == before + 1, "the crash")
        sleeper.join()
    wait_until(lambda: answers(postgres_server), "the server to have recovered")
    assert numbers(postgres_server) == []


def answers(server: Postgres) -> bool:
    try:
        return server.sql("SELECT 1") == [["1"]]
    except SqlError:
        return False


def test_a_server_stopped_at_once_has_what_was_committed(postgres_server, table):
    postgres_server.sql("INSERT INTO t VALUES (1)")
    postgres_server.restart("immediate")
    assert numbers(postgres_server) == [1]


@pytest.mark.parametrize("server", ["postgres_server", "pooler"])
def test_the_gate_swallows_the_answer_to_a_commit(request, postgres_server, table, server):
    with Gate(request.getfixturevalue(server)) as gate:
        gate.swallow_answers_after(1)
        run_sql(gate.dsn(), "INSERT INTO t VALUES (1)")
        with pytest.raises(SqlError, match="closed the connection"):
            run_sql(gate.dsn(), "INSERT INTO t VALUES (2)")
        assert gate.swallowed == 1
        assert numbers(postgres_server) == [1, 2]
        gate.pass_all()
        assert run_sql(gate.dsn(), "SELECT count(*), repeat('x', 200000) FROM t")[0][0] == "2"


@pytest.mark.parametrize("server", ["postgres_server", "pooler"])
def test_the_gate_stalls(request, postgres_server, table, server):
    with Gate(request.getfixturevalue(server)) as gate:
        gate.stall()
        with pytest.raises(subprocess.TimeoutExpired):
            run_sql(gate.dsn(), "INSERT INTO t VALUES (1)", seconds=0.5)
        waiting = threading.Thread(target=run_sql, args=(gate.dsn(), "INSERT INTO t VALUES (2)"))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive() and numbers(postgres_server) == []
        gate.pass_all()
        waiting.join()
        assert numbers(postgres_server) == [2]


def test_answers_end_wherever_they_are_split():
    stream = b"D\0\0\0\x0cZ\0\0\0\5IZZ" + b"I\0\0\0\4" + b"Z\0\0\0\5I" + b"Z\0\0\0\5T" + b"C\0\0"
    whole = [24, 30]
    assert AnswerEnds().feed(stream) == whole
    ends = AnswerEnds()
    assert [at + 1 for at in range(len(stream)) if ends.feed(stream[at:at + 1])] == whole


def test_a_replica_follows_and_is_promoted(postgres_server, table):
    with postgres_server.standby("replica") as replica:
        postgres_server.sql("INSERT INTO t VALUES (1)")
        wait_until(lambda: numbers(replica) == [1], "the replica to follow")
        with pytest.raises(SqlError, match="read-only"):
            replica.sql("INSERT INTO t VALUES (2)")
        replica.promote()
        replica.sql("INSERT INTO t VALUES (2)")
        assert (numbers(postgres_server), numbers(replica)) == ([1], [1, 2])


@pytest.mark.parametrize("number,code", [(signal.SIGTERM, 0), (signal.SIGINT, 0),
                                         (signal.SIGKILL, -signal.SIGKILL)])
def test_the_command_leaves_nothing_behind(tmp_path, number, code):
    with subprocess.Popen([sys.executable, COMMAND, "--database", "some", "--set", "work_mem=9MB"],
                          stdout=subprocess.PIPE, text=True) as command:
        ready, dsn = command.stdout.readline().split()
        assert ready == "ready"
        assert run_sql(dsn, "SELECT current_database(), current_setting('work_mem')"
                            ", current_setting('fsync')") == [["some", "9MB", "on"]]
        pid = int(run_sql(dsn, "SELECT pg_read_file('postmaster.pid')")[0][0].split("\n")[0])
        command.send_signal(number)
        assert command.wait(30) == code
    folder = Path(dsn.split("host=")[1])
    wait_until(lambda: not folder.exists() and not serves(pid), "all of it to be gone")


def serves(pid: int) -> bool:
    """Not: a process of that pid that nobody waited for yet."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except OSError:
        return False

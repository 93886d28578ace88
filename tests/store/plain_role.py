"""A role and a template database with nothing that managed or distributed
PostgreSQLs lack: whoever needs any of it fails here."""

from servers.postgres import Postgres
from servers.psql import SqlError

ROLE = "plain"
TEMPLATE = "plain_template"
# Privileges of a database do not come with the template, and its owner has them
# besides PUBLIC. CREATE is for schemas and for extensions such as PL/pgSQL.
AFTER_CREATE = [f'REVOKE CREATE, TEMPORARY ON DATABASE "%DB%" FROM PUBLIC, {ROLE}']

# What the role must not be able to do, and what it is told.
FORBIDDEN = {
    "DO $$ BEGIN END $$": 'language "plpgsql" does not exist',
    "CREATE EXTENSION plpgsql": "permission denied to create extension",
    "CREATE TEMPORARY TABLE t (i int)": "permission denied to create temporary tables",
    "SELECT pg_advisory_lock(1)": "permission denied for function",
    "SELECT pg_advisory_xact_lock(1, 2)": "permission denied for function",
    "SELECT pg_advisory_unlock_all()": "permission denied for function",
    "SELECT pg_try_advisory_lock(1)": "permission denied for function",
    "SELECT pg_try_advisory_xact_lock_shared(1)": "permission denied for function",
    "SELECT nextval('s')": "permission denied for function",
    "SELECT currval('s')": "permission denied for function",
    "SELECT setval('s', 1)": "permission denied for function",
    "SELECT pg_notify('a', 'b')": "permission denied for function",
    "CREATE DATABASE another": "permission denied to create database",
    "CREATE ROLE another": "permission denied to create role",
}


def make(server: Postgres) -> None:
    server.sql(f"CREATE ROLE {ROLE} LOGIN")
    server.create_database(TEMPLATE)
    functions = server.sql("""
        SELECT string_agg(oid::regprocedure::text, ', ') FROM pg_proc
        WHERE proname ~ '^pg_(try_)?advisory_'
           OR proname IN ('nextval', 'currval', 'setval', 'lastval', 'pg_notify')
    """, TEMPLATE)[0][0]
    server.sql(f"REVOKE EXECUTE ON FUNCTION {functions} FROM PUBLIC", TEMPLATE)
    server.sql("DROP EXTENSION plpgsql", TEMPLATE)


def check(server: Postgres) -> None:
    """That a database made from the template holds the role back, and no more
    than that."""
    name = "plain_check"
    server.create_database(name, TEMPLATE, ROLE)
    for statement in AFTER_CREATE:
        server.sql(statement.replace("%DB%", name))
    server.sql("CREATE TABLE t (i int PRIMARY KEY)", name, ROLE)
    server.sql("CREATE SEQUENCE s", name, ROLE)
    for statement, told in FORBIDDEN.items():
        try:
            server.sql(statement, name, ROLE)
        except SqlError as error:
            assert told in str(error), f"{statement}: {error}"
        else:
            raise AssertionError(f"the role {ROLE} may {statement}")
    server.sql(f"DROP DATABASE {name}")

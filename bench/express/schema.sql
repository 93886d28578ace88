-- What the Express receiver and pgbench write into: the three tables of this
-- project, as an application of one tenant would have them, with the cheapest
-- key and no foreign keys.

CREATE TABLE inbox (
  inbox_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider    text        NOT NULL,
  event_id    text        NOT NULL,
  event_type  text        NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  status      text        NOT NULL DEFAULT 'RECEIVED',
  UNIQUE (provider, event_id)
);

-- As received. The server compresses it, with the faster of its methods.
CREATE TABLE payload (
  inbox_id bigint PRIMARY KEY,
  body     bytea COMPRESSION lz4 NOT NULL
);

CREATE TABLE outbox (
  inbox_id bigint PRIMARY KEY,
  next_at  timestamptz NOT NULL DEFAULT now(),
  attempt  integer     NOT NULL DEFAULT 0
);

CREATE INDEX outbox_ready ON outbox (next_at);

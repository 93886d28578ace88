-- A signature seen names the event that it belongs to. Nothing has filled the
-- table before.
DROP TABLE replay_guard;

CREATE TABLE replay_guard (
  tenant           TEXT    NOT NULL,
  provider         TEXT    NOT NULL,
  endpoint         TEXT    NOT NULL,
  signature_digest BLOB    NOT NULL,
  event_id         TEXT    NOT NULL,
  until            INTEGER,            -- NULL: for ever
  PRIMARY KEY (tenant, provider, endpoint, signature_digest)
) STRICT, WITHOUT ROWID;

-- Steps are claimed one by one, oldest first.
DROP INDEX outbox_ready;
CREATE INDEX outbox_ready ON outbox (step, next_at);

-- One canary and one digest key, whoever comes first.
CREATE UNIQUE INDEX data_key_single ON data_key (tenant, kind) WHERE kind <> 'payload';

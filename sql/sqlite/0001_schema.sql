-- Keys are compared as bytes; tenant leads every key. Times are Unix
-- milliseconds. Ids are 16-byte UUIDv7.

CREATE TABLE inbox (
  tenant         TEXT    NOT NULL,
  provider       TEXT    NOT NULL,
  endpoint       TEXT    NOT NULL,
  event_id       TEXT    NOT NULL,
  inbox_id       BLOB    NOT NULL,
  payload_id     BLOB,                 -- NULL: kept no longer, or never
  event_type     TEXT    NOT NULL DEFAULT '',
  account        TEXT    NOT NULL DEFAULT '',
  object_id      TEXT    NOT NULL DEFAULT '',
  object_version TEXT    NOT NULL DEFAULT '',
  created_at     INTEGER,              -- by the provider's word
  signed_at      INTEGER,
  received_at    INTEGER NOT NULL,
  payload_digest BLOB    NOT NULL,     -- HMAC-SHA256 of the body, keyed
  body_bytes     INTEGER NOT NULL,
  secret_version TEXT    NOT NULL,
  request_id     TEXT    NOT NULL DEFAULT '',
  status         TEXT    NOT NULL CHECK (status IN
                   ('RECEIVED', 'PROCESSED', 'FAILED', 'HELD', 'IGNORED', 'DISCARDED')),
  steps_left     INTEGER NOT NULL,
  generation     INTEGER NOT NULL DEFAULT 0,
  expires_at     INTEGER,              -- of the idempotency record; NULL: never
  diagnosis      TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, provider, endpoint, event_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX inbox_by_id ON inbox (inbox_id);

-- The body and kept headers, compressed, then encrypted. Never updated.
CREATE TABLE payload (
  payload_id BLOB    NOT NULL PRIMARY KEY,
  tenant     TEXT    NOT NULL,
  day        INTEGER NOT NULL,         -- Unix day it may be deleted by
  key_id     BLOB    NOT NULL,
  blob       BLOB    NOT NULL
) STRICT;

-- One row a step that is still to be done. An expired lease is a ready row.
CREATE TABLE outbox (
  tenant      TEXT    NOT NULL,
  inbox_id    BLOB    NOT NULL,
  step        TEXT    NOT NULL,
  next_at     INTEGER NOT NULL,
  attempt     INTEGER NOT NULL DEFAULT 0,
  lease_token BLOB,
  last_error  TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, inbox_id, step)
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_ready ON outbox (next_at);

-- Written in the transaction that removes the outbox row.
CREATE TABLE processed (
  tenant       TEXT    NOT NULL,
  provider     TEXT    NOT NULL,
  endpoint     TEXT    NOT NULL,
  event_id     TEXT    NOT NULL,
  step         TEXT    NOT NULL,
  generation   INTEGER NOT NULL,
  result       TEXT    NOT NULL,
  processed_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, provider, endpoint, event_id, step, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE object_version (
  tenant       TEXT NOT NULL,
  provider     TEXT NOT NULL,
  object_id    TEXT NOT NULL,
  last_version TEXT NOT NULL,
  PRIMARY KEY (tenant, provider, object_id)
) STRICT, WITHOUT ROWID;

-- Signatures seen, for providers whose event id is outside the signature.
CREATE TABLE replay_guard (
  tenant           TEXT    NOT NULL,
  provider         TEXT    NOT NULL,
  endpoint         TEXT    NOT NULL,
  signature_digest BLOB    NOT NULL,
  until            INTEGER,            -- NULL: for ever
  PRIMARY KEY (tenant, provider, endpoint, signature_digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE sequence_gap (
  tenant    TEXT    NOT NULL,
  provider  TEXT    NOT NULL,
  object_id TEXT    NOT NULL,
  version   TEXT    NOT NULL,
  inbox_id  BLOB    NOT NULL,
  seen_at   INTEGER NOT NULL,
  PRIMARY KEY (tenant, provider, object_id, version)
) STRICT, WITHOUT ROWID;

-- Wrapped by a key-encryption key of the ring, named by its fingerprint.
CREATE TABLE data_key (
  key_id     BLOB    NOT NULL PRIMARY KEY,
  kind       TEXT    NOT NULL CHECK (kind IN ('payload', 'digest', 'canary')),
  tenant     TEXT    NOT NULL DEFAULT '',  -- '': of all tenants
  day        INTEGER NOT NULL,
  kek        TEXT    NOT NULL,
  wrapped    BLOB    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('active', 'retired')),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who looked at or changed what.
CREATE TABLE operator_log (
  id       INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  operator TEXT    NOT NULL,
  action   TEXT    NOT NULL,
  inbox_id BLOB,
  reason   TEXT    NOT NULL DEFAULT ''
) STRICT;

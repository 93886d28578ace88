-- Keys are compared as bytes (COLLATE "C"); tenant leads every key, so that the
-- tables can be distributed by it. Ids are UUIDv7 made by the processor. The
-- path of acceptance needs no sequence, trigger, foreign key or function of
-- this schema: docs/scaling.md says what that keeps open.

CREATE TABLE inbox (
  tenant         text COLLATE "C" NOT NULL,
  provider       text COLLATE "C" NOT NULL,
  endpoint       text COLLATE "C" NOT NULL,
  event_id       text COLLATE "C" NOT NULL,
  inbox_id       uuid NOT NULL,
  payload_id     uuid,                  -- NULL: kept no longer, or never
  payload_day    date,                  -- the payload's partition
  event_type     text COLLATE "C" NOT NULL DEFAULT '',
  account        text COLLATE "C" NOT NULL DEFAULT '',
  object_id      text COLLATE "C" NOT NULL DEFAULT '',
  object_version text COLLATE "C" NOT NULL DEFAULT '',
  created_at     timestamptz,           -- by the provider's word
  signed_at      timestamptz,
  received_at    timestamptz NOT NULL,
  payload_digest bytea NOT NULL,        -- HMAC-SHA256 of the body, keyed
  body_bytes     bigint NOT NULL,
  secret_version text COLLATE "C" NOT NULL,
  request_id     text COLLATE "C" NOT NULL DEFAULT '',
  status         text COLLATE "C" NOT NULL CHECK (status IN
                   ('RECEIVED', 'PROCESSED', 'FAILED', 'HELD', 'IGNORED', 'DISCARDED')),
  steps_left     integer NOT NULL,
  generation     integer NOT NULL DEFAULT 0,
  expires_at     timestamptz,           -- of the idempotency record; NULL: never
  diagnosis      text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, provider, endpoint, event_id)
) WITH (fillfactor = 90);               -- room for a new status on the same page

CREATE INDEX inbox_by_id ON inbox (inbox_id);

-- The body and kept headers, compressed, then encrypted. Never updated, and
-- dropped by whole days. The processor and --migrate make partitions ahead;
-- what finds none goes to payload_default.
CREATE TABLE payload (
  payload_id uuid NOT NULL,
  tenant     text COLLATE "C" NOT NULL,
  day        date NOT NULL,             -- it may be deleted by
  key_id     bytea NOT NULL,
  blob       bytea NOT NULL,
  PRIMARY KEY (tenant, payload_id, day)
) PARTITION BY RANGE (day);

-- Ciphertext does not compress: without this PostgreSQL would try.
ALTER TABLE payload ALTER COLUMN blob SET STORAGE EXTERNAL;

CREATE TABLE payload_default PARTITION OF payload DEFAULT WITH (toast_tuple_target = 8160);

-- One row a step that is still to be done. An expired lease is a ready row.
CREATE TABLE outbox (
  tenant      text COLLATE "C" NOT NULL,
  inbox_id    uuid NOT NULL,
  step        text COLLATE "C" NOT NULL,
  next_at     timestamptz NOT NULL,
  attempt     integer NOT NULL DEFAULT 0,
  lease_token uuid,
  last_error  text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, inbox_id, step)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01,
        autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

CREATE INDEX outbox_ready ON outbox (step, next_at);

-- Written in the transaction that removes the outbox row.
CREATE TABLE processed (
  tenant       text COLLATE "C" NOT NULL,
  provider     text COLLATE "C" NOT NULL,
  endpoint     text COLLATE "C" NOT NULL,
  event_id     text COLLATE "C" NOT NULL,
  step         text COLLATE "C" NOT NULL,
  generation   integer NOT NULL,
  result       text COLLATE "C" NOT NULL,
  processed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, provider, endpoint, event_id, step, generation)
);

CREATE TABLE object_version (
  tenant       text COLLATE "C" NOT NULL,
  provider     text COLLATE "C" NOT NULL,
  object_id    text COLLATE "C" NOT NULL,
  last_version text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, provider, object_id)
) WITH (fillfactor = 90);

-- Signatures seen, for providers whose event id is outside the signature, and
-- the event that each belongs to.
CREATE TABLE replay_guard (
  tenant           text COLLATE "C" NOT NULL,
  provider         text COLLATE "C" NOT NULL,
  endpoint         text COLLATE "C" NOT NULL,
  signature_digest bytea NOT NULL,
  event_id         text COLLATE "C" NOT NULL,
  until            timestamptz,         -- NULL: for ever
  PRIMARY KEY (tenant, provider, endpoint, signature_digest)
);

CREATE TABLE sequence_gap (
  tenant    text COLLATE "C" NOT NULL,
  provider  text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  version   text COLLATE "C" NOT NULL,
  inbox_id  uuid NOT NULL,
  seen_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant, provider, object_id, version)
);

-- Wrapped by a key-encryption key of the ring, named by its fingerprint.
CREATE TABLE data_key (
  key_id     bytea NOT NULL,
  kind       text COLLATE "C" NOT NULL CHECK (kind IN ('payload', 'digest', 'canary')),
  tenant     text COLLATE "C" NOT NULL DEFAULT '',  -- '': of all tenants
  day        date NOT NULL,
  kek        text COLLATE "C" NOT NULL,
  wrapped    bytea NOT NULL,
  state      text COLLATE "C" NOT NULL CHECK (state IN ('active', 'retired')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, key_id)
);

-- One canary and one digest key: of two processors that start on an empty
-- store at once, the second meets the keys of the first.
CREATE UNIQUE INDEX data_key_single ON data_key (tenant, kind) WHERE kind <> 'payload';

-- Who looked at or changed what.
CREATE TABLE operator_log (
  log_id   uuid NOT NULL PRIMARY KEY,
  at       timestamptz NOT NULL,
  operator text COLLATE "C" NOT NULL,
  action   text COLLATE "C" NOT NULL,
  inbox_id uuid,
  reason   text COLLATE "C" NOT NULL DEFAULT ''
);

-- Named statements, one a block. Each is one transaction by itself.

-- name: accept
-- Writers meet in one total order: all signatures first, then all events, each
-- sorted by their bytes ($1.. come sorted; the count in `fresh` makes sure that
-- every signature is in before the first event). RETURNING is exactly what was
-- accepted. With synchronous_commit off, or local where there are standbys, which
-- another client of a pooled connection can have left behind, nothing is written.
WITH req AS MATERIALIZED (
  SELECT *
  FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::date[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[],
    $14::timestamptz[], $15::bytea[], $16::bigint[], $17::text[], $18::text[], $19::text[],
    $20::integer[], $21::timestamptz[], $22::bytea[], $23::bytea[], $24::bytea[])
    AS r(tenant, provider, endpoint, event_id, inbox_id, payload_id, payload_day,
         event_type, account, object_id, object_version, created_at, signed_at,
         received_at, payload_digest, body_bytes, secret_version, request_id, status,
         steps, expires_at, key_id, blob, signature_digest)
  WHERE current_setting('synchronous_commit') <> 'off'
    AND (current_setting('synchronous_commit') <> 'local'
         OR current_setting('synchronous_standby_names') = '')
),
guard AS (
  INSERT INTO replay_guard (tenant, provider, endpoint, signature_digest, event_id, until)
  SELECT tenant, provider, endpoint, signature_digest, event_id, expires_at
  FROM req
  WHERE signature_digest IS NOT NULL
  ORDER BY tenant, provider, endpoint, signature_digest
  ON CONFLICT (tenant, provider, endpoint, signature_digest) DO NOTHING
  RETURNING tenant, provider, endpoint, event_id, signature_digest
),
fresh AS (
  SELECT * FROM req
  WHERE (signature_digest IS NULL
         OR (tenant, provider, endpoint, event_id, signature_digest) IN (SELECT * FROM guard))
    AND (SELECT count(*) FROM guard) >= 0
),
ins AS (
  INSERT INTO inbox (
    tenant, provider, endpoint, event_id, inbox_id, payload_id, payload_day, event_type,
    account, object_id, object_version, created_at, signed_at, received_at,
    payload_digest, body_bytes, secret_version, request_id, status, steps_left, expires_at)
  SELECT
    tenant, provider, endpoint, event_id, inbox_id, payload_id, payload_day, event_type,
    account, object_id, object_version, created_at, signed_at, received_at,
    payload_digest, body_bytes, secret_version, request_id, status, steps, expires_at
  FROM fresh
  ON CONFLICT (tenant, provider, endpoint, event_id) DO NOTHING
  RETURNING inbox_id
),
stored_payload AS (
  INSERT INTO payload (payload_id, tenant, day, key_id, blob)
  SELECT r.payload_id, r.tenant, r.payload_day, r.key_id, r.blob
  FROM req r JOIN ins USING (inbox_id)
  WHERE r.payload_id IS NOT NULL
),
todo AS (
  INSERT INTO outbox (tenant, inbox_id, step, next_at)
  SELECT s.tenant, s.inbox_id, s.step, now()
  FROM unnest($25::text[], $26::uuid[], $27::text[]) AS s(tenant, inbox_id, step)
  JOIN ins USING (inbox_id)
)
SELECT current_setting('synchronous_commit') <> 'off'
         AND (current_setting('synchronous_commit') <> 'local'
              OR current_setting('synchronous_standby_names') = ''),
  ins.inbox_id
FROM (SELECT) AS one LEFT JOIN ins ON true;

-- name: find_first
-- The events that kept rows of a batch out: by key, or by a signature that is
-- known under another id. When the batch wrote nothing ($7), its answers stand on
-- other transactions, which may be visible before a synchronous standby has them:
-- a record of our own waits for it. It must be read after the conflict, so it is
-- no part of accept.
SELECT k.number, i.inbox_id, i.payload_id, i.status, o.inbox_id,
  (SELECT CASE WHEN $7::boolean AND current_setting('synchronous_standby_names') <> ''
               THEN pg_logical_emit_message(true, 'webhook', '') END) IS NOT NULL,
  current_setting('synchronous_commit') <> 'off'
    AND (current_setting('synchronous_commit') <> 'local'
         OR current_setting('synchronous_standby_names') = '')
FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[])
       AS k(number, tenant, provider, endpoint, event_id, signature_digest)
LEFT JOIN inbox i
  ON i.tenant = k.tenant AND i.provider = k.provider AND i.endpoint = k.endpoint
 AND i.event_id = k.event_id
LEFT JOIN replay_guard g
  ON g.tenant = k.tenant AND g.provider = k.provider AND g.endpoint = k.endpoint
 AND g.signature_digest = k.signature_digest AND g.event_id <> k.event_id
LEFT JOIN inbox o
  ON o.tenant = g.tenant AND o.provider = g.provider AND o.endpoint = g.endpoint
 AND o.event_id = g.event_id
ORDER BY k.number;

-- name: take_up
-- A HELD or IGNORED event that is now accepted: of its first delivery only the
-- inbox id stays.
WITH twin AS (
  UPDATE inbox SET
    payload_id = $5::uuid, payload_day = $6::date, event_type = $7::text,
    account = $8::text, object_id = $9::text, object_version = $10::text,
    created_at = $11::timestamptz, signed_at = $12::timestamptz,
    received_at = $13::timestamptz, payload_digest = $14::bytea, body_bytes = $15::bigint,
    secret_version = $16::text, request_id = $17::text, status = 'RECEIVED',
    steps_left = $18::integer, expires_at = $19::timestamptz, diagnosis = ''
  WHERE tenant = $1::text AND provider = $2::text AND endpoint = $3::text
    AND event_id = $4::text AND status IN ('HELD', 'IGNORED')
    AND current_setting('synchronous_commit') <> 'off'
    AND (current_setting('synchronous_commit') <> 'local'
         OR current_setting('synchronous_standby_names') = '')
  RETURNING tenant, inbox_id
),
stored_payload AS (
  INSERT INTO payload (payload_id, tenant, day, key_id, blob)
  SELECT $5::uuid, tenant, $6::date, $20::bytea, $21::bytea FROM twin
),
todo AS (
  INSERT INTO outbox (tenant, inbox_id, step, next_at)
  SELECT tenant, inbox_id, step, now() FROM twin CROSS JOIN unnest($22::text[]) AS s(step)
)
SELECT inbox_id FROM twin;

-- name: claim_skip_locked
-- MATERIALIZED: the planner could otherwise run the limit more than once.
WITH ready AS MATERIALIZED (
  SELECT tenant, inbox_id, step FROM outbox
  WHERE step = $1::text AND next_at <= now()
  ORDER BY next_at
  LIMIT $2::bigint
  FOR NO KEY UPDATE SKIP LOCKED
),
claimed AS (
  UPDATE outbox o
  SET next_at = now() + $3::bigint * interval '1 millisecond', attempt = attempt + 1,
      lease_token = $4::uuid
  FROM ready r
  WHERE o.tenant = r.tenant AND o.inbox_id = r.inbox_id AND o.step = r.step
  RETURNING o.tenant, o.inbox_id, o.attempt
)
SELECT i.tenant, i.provider, i.endpoint, i.event_id, i.inbox_id, i.generation, c.attempt
FROM claimed c JOIN inbox i ON i.tenant = c.tenant AND i.inbox_id = c.inbox_id;

-- name: claim_recheck
-- For engines without SKIP LOCKED: of two that choose a row, the second finds
-- its next_at moved on.
WITH ready AS MATERIALIZED (
  SELECT tenant, inbox_id, step FROM outbox
  WHERE step = $1::text AND next_at <= now()
  ORDER BY next_at
  LIMIT $2::bigint
),
claimed AS (
  UPDATE outbox o
  SET next_at = now() + $3::bigint * interval '1 millisecond', attempt = attempt + 1,
      lease_token = $4::uuid
  FROM ready r
  WHERE o.tenant = r.tenant AND o.inbox_id = r.inbox_id AND o.step = r.step
    AND o.next_at <= now()
  RETURNING o.tenant, o.inbox_id, o.attempt
)
SELECT i.tenant, i.provider, i.endpoint, i.event_id, i.inbox_id, i.generation, c.attempt
FROM claimed c JOIN inbox i ON i.tenant = c.tenant AND i.inbox_id = c.inbox_id;

-- name: complete
-- The row lock on inbox serialises the steps of an event; the one that comes to
-- 0 sets PROCESSED.
WITH req AS (
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::uuid[])
    AS r(tenant, inbox_id, step, token)
),
done AS (
  DELETE FROM outbox o USING req r
  WHERE o.tenant = r.tenant AND o.inbox_id = r.inbox_id AND o.step = r.step
    AND o.lease_token = r.token
  RETURNING o.tenant, o.inbox_id, o.step
),
advanced AS (
  UPDATE inbox i
  SET steps_left = i.steps_left - d.steps,
      status = CASE WHEN i.steps_left = d.steps AND i.status = 'RECEIVED'
                    THEN 'PROCESSED' ELSE i.status END
  FROM (SELECT tenant, inbox_id, count(*)::integer AS steps FROM done
        GROUP BY tenant, inbox_id) d
  WHERE i.tenant = d.tenant AND i.inbox_id = d.inbox_id
  RETURNING i.tenant, i.provider, i.endpoint, i.event_id, i.inbox_id, i.generation
),
mark AS (
  INSERT INTO processed (tenant, provider, endpoint, event_id, step, generation, result,
                         processed_at)
  SELECT a.tenant, a.provider, a.endpoint, a.event_id, d.step, a.generation, $5::text, now()
  FROM done d JOIN advanced a ON a.tenant = d.tenant AND a.inbox_id = d.inbox_id
)
SELECT inbox_id, step FROM done;

-- name: put_back
-- Gives a lease up; the step is ready again after the delay.
UPDATE outbox
SET next_at = now() + $5::bigint * interval '1 millisecond', lease_token = NULL,
    last_error = $6::text
WHERE tenant = $1::text AND inbox_id = $2::uuid AND step = $3::text
  AND lease_token = $4::uuid
RETURNING true;

-- name: give_up
WITH gone AS (
  DELETE FROM outbox
  WHERE tenant = $1::text AND inbox_id = $2::uuid AND step = $3::text
    AND lease_token = $4::uuid
  RETURNING tenant, inbox_id
)
UPDATE inbox i SET status = 'FAILED', diagnosis = $5::text
FROM gone g
WHERE i.tenant = g.tenant AND i.inbox_id = g.inbox_id
RETURNING true;

-- name: replay
-- Steps that are still to be done start anew; their leases are lost. $4..$6 are
-- what the caller saw: a step that ended since then makes it look again.
WITH again AS (
  UPDATE inbox i
  SET generation = generation + 1, status = 'RECEIVED', diagnosis = '',
      steps_left = $3::integer + (
        SELECT count(*) FROM outbox o
        WHERE o.tenant = i.tenant AND o.inbox_id = i.inbox_id AND o.step <> ALL ($2::text[]))
  WHERE tenant = $1::text AND inbox_id = $7::uuid
    AND generation = $4::integer AND steps_left = $5::integer AND status = $6::text
  RETURNING tenant, inbox_id
)
INSERT INTO outbox (tenant, inbox_id, step, next_at)
SELECT tenant, inbox_id, step, now() FROM again CROSS JOIN unnest($2::text[]) AS s(step)
ON CONFLICT (tenant, inbox_id, step)
DO UPDATE SET next_at = excluded.next_at, attempt = 0, lease_token = NULL, last_error = ''
RETURNING true;

-- name: list_events
-- inbox_id is a UUIDv7, so its index gives the newest first without a sort.
SELECT tenant, provider, endpoint, event_id, inbox_id, payload_id, event_type,
  account, object_id, object_version, created_at, signed_at, received_at,
  secret_version, request_id, status, steps_left, generation, diagnosis,
  body_bytes, expires_at
FROM inbox
WHERE ($1::text = '' OR tenant = $1) AND ($2::text = '' OR provider = $2)
  AND ($3::text = '' OR event_type = $3) AND ($4::text = '' OR status = $4)
  AND ($5::text = '' OR event_id = $5) AND received_at >= $6::timestamptz
ORDER BY inbox_id DESC
LIMIT $7::bigint;

-- name: count_events
SELECT count(*) FROM inbox
WHERE ($1::text = '' OR tenant = $1) AND ($2::text = '' OR provider = $2)
  AND ($3::text = '' OR event_type = $3) AND ($4::text = '' OR status = $4)
  AND ($5::text = '' OR event_id = $5) AND received_at >= $6::timestamptz;

-- name: find_event
SELECT i.tenant, i.provider, i.endpoint, i.event_id, i.inbox_id, i.payload_id, i.event_type,
  i.account, i.object_id, i.object_version, i.created_at, i.signed_at, i.received_at,
  i.secret_version, i.request_id, i.status, i.steps_left, i.generation, i.diagnosis,
  i.body_bytes, i.expires_at, p.blob
FROM inbox i
LEFT JOIN payload p
  ON p.tenant = i.tenant AND p.payload_id = i.payload_id AND p.day = i.payload_day
WHERE i.inbox_id = $1::uuid;

-- name: find_outbox
SELECT step, next_at, attempt, last_error FROM outbox
WHERE tenant = $1::text AND inbox_id = $2::uuid
ORDER BY step;

-- name: status_counts
SELECT status, count(*) FROM inbox GROUP BY status;

-- name: oldest_unprocessed
SELECT i.received_at
FROM (SELECT tenant, inbox_id FROM outbox ORDER BY inbox_id LIMIT 1) o
JOIN inbox i ON i.tenant = o.tenant AND i.inbox_id = o.inbox_id;

-- name: insert_operator_log
INSERT INTO operator_log (log_id, at, operator, action, inbox_id, reason)
VALUES ($1::uuid, $2::timestamptz, $3::text, $4::text, $5::uuid, $6::text);

-- name: insert_data_key
INSERT INTO data_key (key_id, kind, day, kek, wrapped, state, created_at)
VALUES ($1::bytea, $2::text, $3::date, $4::text, $5::bytea, 'active', $6::timestamptz);

-- name: data_keys
SELECT key_id, kind, day, kek, wrapped, created_at FROM data_key
WHERE state = 'active'
ORDER BY created_at, key_id;

-- name: server_facts
-- What must hold of every connection before it may store anything.
SELECT current_setting('server_version_num')::integer, pg_backend_pid(),
  current_setting('fsync'), current_setting('full_page_writes'),
  current_setting('synchronous_commit'), current_setting('server_encoding'),
  current_setting('default_transaction_isolation'), current_setting('transaction_read_only'),
  pg_is_in_recovery(), current_setting('lock_timeout');

-- name: unlogged_tables
SELECT relname FROM pg_class
WHERE oid IN (to_regclass('inbox'), to_regclass('payload'), to_regclass('outbox'),
              to_regclass('processed'), to_regclass('replay_guard'), to_regclass('data_key'))
  AND relpersistence <> 'p';

-- name: schema_version
SELECT max(version)::integer FROM schema_version;

-- name: schema_exists
SELECT to_regclass('schema_version') IS NOT NULL;

-- name: missing_partitions
SELECT w.day FROM unnest($1::date[]) AS w(day)
WHERE to_regclass('payload_' || to_char(w.day, 'YYYYMMDD')) IS NULL
ORDER BY w.day;

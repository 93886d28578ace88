-- Named statements, one a block. Parameters are bound by name.

-- name: begin
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: insert_inbox
INSERT INTO inbox (
  tenant, provider, endpoint, event_id, inbox_id, payload_id, event_type,
  account, object_id, object_version, created_at, signed_at, received_at,
  payload_digest, body_bytes, secret_version, request_id, status, steps_left,
  expires_at)
VALUES (
  :tenant, :provider, :endpoint, :event_id, :inbox_id, :payload_id, :event_type,
  :account, :object_id, :object_version, :created_at, :signed_at, :received_at,
  :payload_digest, :body_bytes, :secret_version, :request_id, :status, :steps_left,
  :expires_at)
ON CONFLICT (tenant, provider, endpoint, event_id) DO NOTHING;

-- name: insert_guard
INSERT INTO replay_guard (tenant, provider, endpoint, signature_digest, event_id, until)
VALUES (:tenant, :provider, :endpoint, :signature_digest, :event_id, :until)
ON CONFLICT (tenant, provider, endpoint, signature_digest) DO NOTHING;

-- name: find_replayed
SELECT i.inbox_id
FROM replay_guard g
JOIN inbox i USING (tenant, provider, endpoint, event_id)
WHERE g.tenant = :tenant AND g.provider = :provider AND g.endpoint = :endpoint
  AND g.signature_digest = :signature_digest AND g.event_id <> :event_id;

-- name: find_duplicate
SELECT inbox_id, status FROM inbox
WHERE tenant = :tenant AND provider = :provider AND endpoint = :endpoint
  AND event_id = :event_id;

-- name: take_up
-- A HELD or IGNORED event that is now accepted: of its first delivery only the
-- inbox id stays.
UPDATE inbox SET
  payload_id = :payload_id, event_type = :event_type, account = :account,
  object_id = :object_id, object_version = :object_version, created_at = :created_at,
  signed_at = :signed_at, received_at = :received_at, payload_digest = :payload_digest,
  body_bytes = :body_bytes, secret_version = :secret_version, request_id = :request_id,
  status = 'RECEIVED', steps_left = :steps_left, expires_at = :expires_at, diagnosis = ''
WHERE tenant = :tenant AND provider = :provider AND endpoint = :endpoint
  AND event_id = :event_id;

-- name: insert_payload
INSERT INTO payload (payload_id, tenant, day, key_id, blob)
VALUES (:payload_id, :tenant, :day, :key_id, :blob);

-- name: insert_outbox
INSERT INTO outbox (tenant, inbox_id, step, next_at)
VALUES (:tenant, :inbox_id, :step, :next_at);

-- name: ready_steps
SELECT i.tenant, i.provider, i.endpoint, i.event_id, i.inbox_id, i.generation, o.attempt
FROM outbox o JOIN inbox i ON i.inbox_id = o.inbox_id
WHERE o.step = :step AND o.next_at <= :now
ORDER BY o.next_at
LIMIT :limit;

-- name: lease_step
UPDATE outbox SET next_at = :next_at, attempt = attempt + 1, lease_token = :token
WHERE tenant = :tenant AND inbox_id = :inbox_id AND step = :step;

-- name: put_back
UPDATE outbox SET next_at = :next_at, lease_token = NULL, last_error = :error
WHERE tenant = :tenant AND inbox_id = :inbox_id AND step = :step AND lease_token = :token;

-- name: remove_step
DELETE FROM outbox
WHERE tenant = :tenant AND inbox_id = :inbox_id AND step = :step AND lease_token = :token;

-- name: insert_processed
INSERT INTO processed (tenant, provider, endpoint, event_id, step, generation, result,
  processed_at)
SELECT tenant, provider, endpoint, event_id, :step, generation, :result, :now
FROM inbox WHERE inbox_id = :inbox_id;

-- name: advance
UPDATE inbox
SET steps_left = steps_left - 1,
    status = CASE WHEN steps_left = 1 AND status = 'RECEIVED' THEN 'PROCESSED' ELSE status END
WHERE inbox_id = :inbox_id;

-- name: mark_failed
UPDATE inbox SET status = 'FAILED', diagnosis = :diagnosis WHERE inbox_id = :inbox_id;

-- name: restart_step
INSERT INTO outbox (tenant, inbox_id, step, next_at)
SELECT tenant, inbox_id, :step, :now FROM inbox WHERE inbox_id = :inbox_id
ON CONFLICT (tenant, inbox_id, step)
DO UPDATE SET next_at = excluded.next_at, attempt = 0, lease_token = NULL, last_error = '';

-- name: raise_generation
-- After restart_step: steps that were still to be done count as well.
UPDATE inbox
SET generation = generation + 1, status = 'RECEIVED', diagnosis = '',
    steps_left = (SELECT count(*) FROM outbox o
                  WHERE o.tenant = inbox.tenant AND o.inbox_id = inbox.inbox_id)
WHERE inbox_id = :inbox_id;

-- name: event_status
SELECT status FROM inbox WHERE inbox_id = :inbox_id;

-- name: list_events
-- inbox_id is a UUIDv7, so its index gives the newest first without a sort.
SELECT tenant, provider, endpoint, event_id, inbox_id, payload_id, event_type,
  account, object_id, object_version, created_at, signed_at, received_at,
  secret_version, request_id, status, steps_left, generation, diagnosis,
  body_bytes, expires_at
FROM inbox
WHERE (:tenant = '' OR tenant = :tenant)
  AND (:provider = '' OR provider = :provider)
  AND (:event_type = '' OR event_type = :event_type)
  AND (:status = '' OR status = :status)
  AND (:event_id = '' OR event_id = :event_id)
  AND received_at >= :since
ORDER BY inbox_id DESC
LIMIT :limit;

-- name: count_events
SELECT count(*) FROM inbox
WHERE (:tenant = '' OR tenant = :tenant)
  AND (:provider = '' OR provider = :provider)
  AND (:event_type = '' OR event_type = :event_type)
  AND (:status = '' OR status = :status)
  AND (:event_id = '' OR event_id = :event_id)
  AND received_at >= :since;

-- name: find_event
SELECT tenant, provider, endpoint, event_id, inbox_id, payload_id, event_type,
  account, object_id, object_version, created_at, signed_at, received_at,
  secret_version, request_id, status, steps_left, generation, diagnosis,
  body_bytes, expires_at
FROM inbox
WHERE inbox_id = :inbox_id;

-- name: find_outbox
SELECT step, next_at, attempt, last_error FROM outbox
WHERE tenant = :tenant AND inbox_id = :inbox_id
ORDER BY step;

-- name: find_payload
SELECT blob FROM payload WHERE payload_id = :payload_id;

-- name: status_counts
SELECT status, count(*) FROM inbox GROUP BY status;

-- name: oldest_unprocessed
SELECT received_at FROM inbox
WHERE inbox_id = (SELECT min(inbox_id) FROM outbox);

-- name: insert_operator_log
INSERT INTO operator_log (at, operator, action, inbox_id, reason)
VALUES (:at, :operator, :action, :inbox_id, :reason);

-- name: insert_data_key
INSERT INTO data_key (key_id, kind, day, kek, wrapped, state, created_at)
VALUES (:key_id, :kind, :day, :kek, :wrapped, 'active', :created_at);

-- name: data_keys
SELECT key_id, kind, day, kek, wrapped, created_at FROM data_key
WHERE state = 'active'
ORDER BY created_at, key_id;

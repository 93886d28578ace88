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
  :payload_digest, :body_bytes, :secret_version, :request_id, 'RECEIVED', 1,
  :expires_at)
ON CONFLICT (tenant, provider, endpoint, event_id) DO NOTHING;

-- name: find_duplicate
SELECT inbox_id FROM inbox
WHERE tenant = :tenant AND provider = :provider AND endpoint = :endpoint
  AND event_id = :event_id;

-- name: insert_payload
INSERT INTO payload (payload_id, tenant, day, key_id, blob)
VALUES (:payload_id, :tenant, :day, :key_id, :blob);

-- name: insert_outbox
INSERT INTO outbox (tenant, inbox_id, step, next_at)
VALUES (:tenant, :inbox_id, 'default', :next_at);

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

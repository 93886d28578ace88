-- Four roles with no more than each needs. Run once by an administrator, in the
-- database of the store, after webhook-processor --migrate:
--
--   psql -v ON_ERROR_STOP=1 -f sql/postgres/roles.sql DATABASE
--
-- Then give each a password, a certificate or a line in pg_hba.conf:
--   ALTER ROLE webhook_processor PASSWORD '...';
-- Run again, it changes nothing. The tables stay with the role that migrated:
-- that one runs webhook-processor --migrate again at every upgrade and once a
-- week, which also makes the partitions of payload ahead.

SELECT format('CREATE ROLE %I LOGIN', name)
FROM unnest(ARRAY['webhook_processor', 'webhook_worker', 'webhook_operator',
                  'webhook_auditor']) AS wanted(name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec

-- Settings of the role, not of a session: a session's would leak through a
-- pooler that shares connections.
SELECT format('ALTER ROLE %I SET %s', role, setting)
FROM unnest(ARRAY['webhook_processor', 'webhook_worker', 'webhook_operator',
                  'webhook_auditor']) AS r(role),
     unnest(ARRAY[
       'synchronous_commit = on',
       'default_transaction_isolation = ''read committed''',
       'lock_timeout = ''1s''',
       'statement_timeout = ''10s''',
       'idle_in_transaction_session_timeout = ''30s''']) AS s(setting)
\gexec

SELECT format('GRANT CONNECT ON DATABASE %I TO webhook_processor, webhook_worker, '
              'webhook_operator, webhook_auditor', current_database())
\gexec
GRANT USAGE ON SCHEMA public
  TO webhook_processor, webhook_worker, webhook_operator, webhook_auditor;
GRANT SELECT ON schema_version
  TO webhook_processor, webhook_worker, webhook_operator, webhook_auditor;

-- webhook-processor: stores events, does their steps, keeps its keys. It removes
-- no event and no payload.
GRANT SELECT, INSERT ON inbox, payload, processed, replay_guard, data_key, operator_log,
  object_version, sequence_gap TO webhook_processor;
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO webhook_processor;
GRANT UPDATE (payload_id, payload_day, event_type, account, object_id, object_version,
  created_at, signed_at, received_at, payload_digest, body_bytes, secret_version,
  request_id, status, steps_left, generation, expires_at, diagnosis)
  ON inbox TO webhook_processor;
GRANT UPDATE (last_version) ON object_version TO webhook_processor;

-- A worker of your own that claims steps from the outbox and marks them done.
GRANT SELECT ON inbox, payload, outbox, processed, object_version TO webhook_worker;
GRANT UPDATE (next_at, attempt, lease_token, last_error), DELETE ON outbox TO webhook_worker;
GRANT UPDATE (status, steps_left, diagnosis) ON inbox TO webhook_worker;
GRANT INSERT ON processed, object_version TO webhook_worker;
GRANT UPDATE (last_version) ON object_version TO webhook_worker;

-- A person who looks into events and has them done again. No payloads and no
-- keys: those are shown by webhookctl, which records who asked.
GRANT SELECT ON inbox, outbox, processed, object_version, sequence_gap, operator_log
  TO webhook_operator;
GRANT UPDATE (status, steps_left, generation, diagnosis) ON inbox TO webhook_operator;
GRANT INSERT, UPDATE (next_at, attempt, lease_token, last_error) ON outbox TO webhook_operator;
GRANT INSERT ON operator_log TO webhook_operator;

-- Reads what happened, changes nothing.
GRANT SELECT ON inbox, outbox, processed, operator_log TO webhook_auditor;

-- An event as the Express receiver stores it: `body` is given.
\set event random(1, 9223372036854775807)
BEGIN;
INSERT INTO inbox (provider, event_id, event_type) VALUES ('github', :event::text, 'push')
  ON CONFLICT (provider, event_id) DO NOTHING RETURNING inbox_id \gset
INSERT INTO payload (inbox_id, body) VALUES (:inbox_id, :body);
INSERT INTO outbox (inbox_id) VALUES (:inbox_id);
COMMIT;

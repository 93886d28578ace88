// The receiver that this project is compared with: Express, GitHub's package
// for the signature, node-postgres for the same transaction. It neither
// encrypts the payload nor reads it.
//
//   PORT, DATABASE_URL, WEBHOOK_SECRET; PROCESSES (2), POOL_SIZE (10, of each)
import cluster from 'node:cluster';
import { verify } from '@octokit/webhooks-methods';
import express from 'express';
import pg from 'pg';

const { PORT, DATABASE_URL, WEBHOOK_SECRET, PROCESSES = 2, POOL_SIZE = 10 } = process.env;

const insertInbox = {
  name: 'insert_inbox',
  text: `INSERT INTO inbox (provider, event_id, event_type) VALUES ('github', $1, $2)
         ON CONFLICT (provider, event_id) DO NOTHING RETURNING inbox_id`,
};
const insertPayload = {
  name: 'insert_payload',
  text: 'INSERT INTO payload (inbox_id, body) VALUES ($1, $2)',
};
const insertOutbox = {
  name: 'insert_outbox',
  text: 'INSERT INTO outbox (inbox_id) VALUES ($1)',
};

// Two trips to the server: what does not wait for an answer is sent along. Were
// one of these to fail, the rest would only say that there is no transaction.
// Whether the event is new.
async function accept(client, { id, type, body }) {
  const [, { rows }] = await Promise.all([
    client.query('BEGIN'),
    client.query({ ...insertInbox, values: [id, type] }),
  ]);
  await Promise.all([
    ...rows.flatMap(({ inbox_id: inboxId }) => [
      client.query({ ...insertPayload, values: [inboxId, body] }),
      client.query({ ...insertOutbox, values: [inboxId] }),
    ]),
    client.query('COMMIT'),
  ]);
  return rows.length > 0;
}

async function store(pool, event) {
  const client = await pool.connect();
  try {
    const isNew = await accept(client, event);
    client.release();
    return isNew;
  } catch (error) {
    client.release(error); // the connection goes, and the transaction with it
    throw error;
  }
}

function receive() {
  const pool = new pg.Pool({
    connectionString: DATABASE_URL,
    max: Number(POOL_SIZE),
    pipeline: true,
  });
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.post(
    '/webhooks/github',
    express.raw({ type: 'application/json', limit: '1mb' }),
    async (request, response) => {
      const signature = request.get('X-Hub-Signature-256');
      const id = request.get('X-GitHub-Delivery');
      const type = request.get('X-GitHub-Event');
      if (!signature || !id || !type || !Buffer.isBuffer(request.body)) {
        return response.sendStatus(400);
      }
      if (!(await verify(WEBHOOK_SECRET, request.body.toString(), signature))) {
        return response.sendStatus(401);
      }
      const isNew = await store(pool, { id, type, body: request.body });
      response.type('text/plain').send(isNew ? 'accepted' : 'duplicate');
    }
  );
  app.listen(Number(PORT), '127.0.0.1');
}

function supervise() {
  for (let i = 0; i < Number(PROCESSES); i++) cluster.fork();
  cluster.on('exit', () => process.exit(1)); // not expected; the others follow
  process.on('SIGTERM', () => {
    cluster.removeAllListeners('exit');
    for (const worker of Object.values(cluster.workers)) worker.process.kill();
  });
}

if (cluster.isPrimary) supervise();
else receive();

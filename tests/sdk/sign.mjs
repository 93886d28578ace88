// Signs GitHub's 329 published example payloads the way a provider does, with
// that provider's own package where there is one.
//
//   node sign.mjs SIGNER [COPIES]
//
// Writes one JSON object a line: signer, provider, secret, headers,
// body_base64, event_id, event_type. Every copy is a set of new events. The
// secret is made anew for each run.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sign as octokitSign } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

const examples = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve(
      '@octokit/webhooks-examples/api.github.com/index.json'
    )
  )
);

const hmac = (secret, encoding, ...parts) =>
  createHmac('sha256', secret).update(parts.join('')).digest(encoding);

async function github({ secret, name, payload }) {
  const body = JSON.stringify(payload);
  const id = randomUUID();
  return {
    id,
    type: typeof payload.action === 'string' ? `${name}.${payload.action}` : name,
    body,
    headers: {
      'X-GitHub-Delivery': id,
      'X-GitHub-Event': name,
      'X-GitHub-Hook-Installation-Target-ID': '79929171',
      'X-Hub-Signature-256': await octokitSign(secret, body),
    },
  };
}

function stripe({ secret, name, payload }) {
  const id = `evt_${randomBytes(12).toString('hex')}`;
  const type = `${name}.happened`;
  const body = JSON.stringify(
    { id, object: 'event', type, created: now(), data: { object: payload } },
    null,
    2
  );
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  return { id, type, body, headers: { 'Stripe-Signature': signature } };
}

function standard(Webhook) {
  return ({ secret, name, payload }) => {
    const id = `msg_${randomBytes(12).toString('hex')}`;
    const type = `${name}.happened`;
    const at = new Date();
    const body = JSON.stringify({ type, timestamp: at.toISOString(), data: payload });
    return {
      id,
      type,
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      },
    };
  };
}

// https://docs.slack.dev/authentication/verifying-requests-from-slack
function slack({ secret, name, payload }) {
  const id = `Ev${randomBytes(8).toString('hex')}`;
  const at = now();
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: 'T0001',
    event_id: id,
    event_time: at,
    event: { ...payload, type: name },
  });
  return {
    id,
    type: name,
    body,
    headers: {
      'X-Slack-Request-Timestamp': String(at),
      'X-Slack-Signature': `v0=${hmac(secret, 'hex', `v0:${at}:`, body)}`,
    },
  };
}

// https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
function shopify({ secret, name, payload }) {
  const id = randomUUID();
  const type = `${name}/update`;
  const body = JSON.stringify(payload);
  return {
    id,
    type,
    body,
    headers: {
      'X-Shopify-Webhook-Id': id,
      'X-Shopify-Topic': type,
      'X-Shopify-Shop-Domain': 'example.myshopify.com',
      'X-Shopify-Hmac-Sha256': hmac(secret, 'base64', body),
    },
  };
}

const text = () => randomBytes(24).toString('hex');
const whsec = () => `whsec_${randomBytes(24).toString('base64')}`;
const now = () => Math.floor(Date.now() / 1000);

const signers = {
  octokit: { provider: 'github', secret: text, sign: github },
  stripe: { provider: 'stripe', secret: () => `whsec_${text()}`, sign: stripe },
  standardwebhooks: {
    provider: 'standard-webhooks',
    secret: whsec,
    sign: standard(StandardWebhook),
  },
  svix: { provider: 'standard-webhooks', secret: whsec, sign: standard(SvixWebhook) },
  slack: { provider: 'slack', secret: text, sign: slack },
  shopify: { provider: 'shopify', secret: text, sign: shopify },
};

const [name, copies = '1'] = process.argv.slice(2);
const signer = signers[name];
if (!signer) {
  console.error(`usage: node sign.mjs ${Object.keys(signers).join('|')} [COPIES]`);
  process.exit(2);
}
const secret = signer.secret();
for (let copy = 0; copy < Number(copies); copy++) {
  for (const { name: eventName, examples: payloads } of examples) {
    for (const [index, example] of payloads.entries()) {
      // Makes each body its own, and holds characters of several bytes for the
      // tests to cut through.
      const payload = { ...example, sample: `🪝 größer 第${copy}.${eventName}.${index}` };
      const { id, type, body, headers } = await signer.sign({
        secret,
        name: eventName,
        payload,
      });
      console.log(
        JSON.stringify({
          signer: name,
          provider: signer.provider,
          secret,
          headers: { 'Content-Type': 'application/json', ...headers },
          body_base64: Buffer.from(body).toString('base64'),
          event_id: id,
          event_type: type,
        })
      );
    }
  }
}

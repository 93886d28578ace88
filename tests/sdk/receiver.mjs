// A receiver that verifies with the providers' own packages.
//
//   node receiver.mjs PROVIDER SECRET
//
// Listens on a free loopback port, prints it, answers 200 where the package
// says valid and 401 where not, and ends when its standard input does.
import { createServer } from 'node:http';
import { verify } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

const [provider, secret] = process.argv.slice(2);

const verifiers = {
  github: async (headers, body) => {
    if (!(await verify(secret, body, headers['x-hub-signature-256']))) {
      throw new Error('signature does not match');
    }
  },
  stripe: (headers, body) =>
    Stripe.webhooks.constructEvent(body, headers['stripe-signature'], secret),
  'standard-webhooks': (headers, body) => {
    new StandardWebhook(secret).verify(body, headers);
    new SvixWebhook(secret).verify(body, headers);
  },
};

const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  try {
    await verifiers[provider](request.headers, Buffer.concat(pieces).toString());
    response.writeHead(200).end();
  } catch (error) {
    response.writeHead(401).end(`${error.message}\n`);
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => process.exit(0));

// A receiver of webhooks: checks each request, answers at once, drops what it knows. WEBHOOK_SECRET is the secret of
// the subscribed account, PORT where to listen.
import { createServer } from 'node:http';
import { verifyWebhook, WebhookError, type WebhookEvent } from '@assay/client';

const { WEBHOOK_SECRET = '', PORT = '8090' } = process.env;
const seen = new Set<string>();

/** Runs after the answer, so that a slow shop keeps nobody waiting. */
function work(event: WebhookEvent): void {
  console.log(`${event.type} version ${event.version}`);
}

const server = createServer(async (request, response) => {
  try {
    const body = Buffer.concat(await request.toArray());
    const event = await verifyWebhook({ body, headers: request.headers, secret: WEBHOOK_SECRET });
    response.writeHead(200).end();
    if (!seen.has(event.id)) {
      seen.add(event.id);
      work(event);
    }
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
  }
});
server.listen(Number(PORT), () => console.log('listening on', server.address()));

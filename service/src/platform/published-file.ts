// Fetches a published file over HTTPS: limited in time and size, from public addresses only, each redirect checked like
// the address itself. Sends nothing but the request.
import { Agent, request } from 'undici';
import { readWebhookUrl, type WebhookRules, WebhookUrlFault } from '../core/webhook-url.ts';
import { GuardedLookup } from './guarded-lookup.ts';

export interface FetchLimits {
  readonly maxBytes: number;
  /** From the first step to the last byte, redirects included; default 60 s. */
  readonly totalTimeoutMs?: number;
  /** Addresses that may be called; default: https, and public ones only. */
  readonly rules?: WebhookRules;
}

const publicOnly: WebhookRules = { allowHttp: false, allowCidrs: [] };
const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Why a file was not fetched. */
export class FetchFault extends Error {}

/** @throws FetchFault */
export async function fetchPublished(address: string, limits: FetchLimits): Promise<Buffer> {
  const rules = limits.rules ?? publicOnly;
  const agent = new Agent({ connect: { lookup: new GuardedLookup(rules).lookup, timeout: 10_000 }, allowH2: false });
  const signal = AbortSignal.timeout(limits.totalTimeoutMs ?? 60_000);
  try {
    let next = address;
    for (let n = 0; n <= mostRedirects; n++) {
      const url = readWebhookUrl(next, rules);
      if (url instanceof WebhookUrlFault) throw new FetchFault(`the address ${next.slice(0, 200)} ${url.why}`);
      const reply = await request(url, {
        dispatcher: agent,
        signal,
        headers: { accept: '*/*', 'user-agent': 'Assay/1' },
      });
      // A body that is not read to its end reports that it was aborted.
      reply.body.on('error', () => undefined);
      const { location } = reply.headers;
      if (!redirects.has(reply.statusCode)) {
        if (reply.statusCode !== 200) throw new FetchFault(`${url.host} answered ${reply.statusCode}, not 200`);
        return await bytesOf(reply.body, limits.maxBytes, url.host);
      }
      reply.body.destroy();
      if (typeof location !== 'string') throw new FetchFault(`${url.host} redirects to no address`);
      next = new URL(location, url).href;
    }
    throw new FetchFault(`${address.slice(0, 200)} redirects more than ${mostRedirects} times`);
  } catch (e) {
    if (e instanceof FetchFault) throw e;
    const why = signal.aborted ? 'it took too long' : e instanceof Error ? e.message : String(e);
    throw new FetchFault(`${address.slice(0, 200)} could not be fetched: ${why}`);
  } finally {
    await agent.destroy();
  }
}

/** `fetch` that reads each answer whole, and no further than a size. @throws FetchFault if it is larger */
export const fetchAtMost =
  (maxBytes: number): typeof globalThis.fetch =>
  async (input, init) => {
    const reply = await fetch(input, init);
    if (reply.body === null) return reply;
    const { host } = new URL(input instanceof Request ? input.url : input);
    const { status, statusText, headers } = reply;
    return new Response(new Uint8Array(await bytesOf(reply.body, maxBytes, host)), { status, statusText, headers });
  };

async function bytesOf(body: AsyncIterable<Uint8Array>, maxBytes: number, host: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new FetchFault(`the answer of ${host} is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

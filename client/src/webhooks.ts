// Checks that a webhook request comes from Assay: Standard Webhooks and X-Signature, with Web Crypto.

import { type Bytes, fromBase64, join, utf8, webCrypto } from './bytes.ts';
import { readExact } from './decimals.ts';

/** The event in a webhook request. */
export interface WebhookEvent {
  /** The same for repeated deliveries: drop events already seen. */
  readonly id: string;
  readonly type: string;
  /** Its name in the specification. */
  readonly event: string;
  readonly timestamp: string;
  readonly clientId: string;
  /** Counts the resource's changes; events may arrive out of order. */
  readonly version: number;
  /** Schema of `data`, such as `transaction.created/1`; absent from tests and from events of version 0.1. */
  readonly schema?: string;
  /** The whole resource after the change. */
  readonly data: unknown;
}

export interface WebhookRequest {
  /** The body as received, before any parsing. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…`; both the old and the new one during a rotation. */
  readonly secret: string | readonly string[];
  /** 'standard' reads webhook-signature and rejects old requests; 'x-signature' has no timestamp. */
  readonly form?: 'standard' | 'x-signature' | undefined;
  /** Allowed difference in seconds between the request's time and now; default 300. */
  readonly toleranceS?: number | undefined;
  /** Milliseconds since the epoch, for tests. */
  readonly now?: (() => number) | undefined;
  /** 'text': every number of the event's data is the exact text that was signed. */
  readonly amounts?: 'number' | 'text' | undefined;
}

/** The request is not from Assay, or too old; answer 401. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError';
}

/**
 * Returns the event of a genuine request.
 * @throws WebhookError for any other request, TypeError for a secret that is none
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const body = typeof request.body === 'string' ? utf8(request.body) : new Uint8Array(request.body);
  const header = (name: string) => headerOf(request.headers, name);
  const secrets = [request.secret].flat();
  if (secrets.some((s) => s.replace(/^whsec_/, '') === ''))
    throw new TypeError('a secret is empty: anybody can sign with it');
  const genuine =
    request.form === 'x-signature'
      ? await holdsWhole(body, header('x-signature'), secrets)
      : await holdsStandard(body, header, secrets, request);
  if (!genuine) throw new WebhookError('the signature is not by this secret: the request is forged or was altered');
  const text = new TextDecoder().decode(body);
  try {
    return (request.amounts === 'text' ? readExact(text, ['version']) : JSON.parse(text)) as WebhookEvent;
  } catch (cause) {
    throw new WebhookError('the body is not JSON', { cause });
  }
}

async function holdsStandard(
  body: Bytes,
  header: (name: string) => string,
  secrets: readonly string[],
  { toleranceS = 300, now = Date.now }: WebhookRequest,
): Promise<boolean> {
  const [id, time] = [header('webhook-id'), header('webhook-timestamp')];
  const late = Math.abs(now() / 1000 - Number(time));
  if (!/^\d+$/.test(time) || late > toleranceS)
    throw new WebhookError(`webhook-timestamp is more than ${toleranceS} seconds away from the clock here`);
  const signed = join(utf8(`${id}.${time}.`), body);
  const signatures = header('webhook-signature')
    .split(' ')
    .map((s) => (s.startsWith('v1,') ? fromBase64(s.slice(3)) : undefined));
  for (const secret of secrets) {
    const decoded = fromBase64(secret.replace(/^whsec_/, ''));
    if (decoded === undefined) throw new TypeError('the secret is not written as whsec_ and base64');
    if (await anyHolds(decoded, signed, signatures)) return true;
  }
  return false;
}

async function holdsWhole(body: Bytes, given: string, secrets: readonly string[]): Promise<boolean> {
  const signature = /^[0-9a-f]{64}$/i.test(given)
    ? Uint8Array.from(given.match(/../g) ?? [], (h) => Number.parseInt(h, 16))
    : undefined;
  for (const secret of secrets) if (await anyHolds(utf8(secret), body, [signature])) return true;
  return false;
}

/** Web Crypto compares in constant time. */
async function anyHolds(secret: Bytes, signed: Bytes, signatures: readonly (Bytes | undefined)[]): Promise<boolean> {
  const subtle = webCrypto();
  const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const s of signatures) if (s !== undefined && (await subtle.verify('HMAC', key, s, signed))) return true;
  return false;
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof found === 'string' ? found : found?.[0]) ?? '';
}

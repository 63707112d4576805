// Checking that a webhook request comes from Assay: Standard Webhooks and X-Signature, by Web Crypto.

import { type Bytes, fromBase64, join, utf8, webCrypto } from './bytes.ts';
import { readExact } from './decimals.ts';

/** What a webhook request tells. */
export interface WebhookEvent {
  /** Repeats when a delivery is repeated: drop what you know. */
  readonly id: string;
  readonly type: string;
  /** Its name in the specification. */
  readonly event: string;
  readonly timestamp: string;
  readonly clientId: string;
  /** Counts the changes of the resource; events may arrive out of order. */
  readonly version: number;
  /** Schema of `data`, such as `transaction.created/1`; absent from events of version 0.1. */
  readonly schema?: string;
  /** The whole resource after the change. */
  readonly data: unknown;
}

export interface WebhookRequest {
  /** The body as it came, before any parsing. */
  readonly body: string | Uint8Array;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…`; while a rotation is under way the old and the new one. */
  readonly secret: string | readonly string[];
  /** 'standard' looks at webhook-signature and refuses old requests; 'x-signature' knows no time. */
  readonly form?: 'standard' | 'x-signature' | undefined;
  /** How many seconds the request's time may differ from now; 300 without it. */
  readonly toleranceS?: number | undefined;
  /** Milliseconds since the epoch, for tests. */
  readonly now?: (() => number) | undefined;
  /** 'text': every number of the event's data is the exact text that was signed. */
  readonly amounts?: 'number' | 'text' | undefined;
}

/** The request is not from Assay, or not from now; answer 401. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError';
}

/** The event of a genuine request; throws WebhookError for any other. */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const body = typeof request.body === 'string' ? utf8(request.body) : new Uint8Array(request.body);
  const header = (name: string) => headerOf(request.headers, name);
  const secrets = [request.secret].flat();
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

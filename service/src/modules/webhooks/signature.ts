// Signs what is sent to a webhook address. Knows the two ways of signing and nothing of where secrets are kept.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Secrets as issued: `whsec_` and base64. */
export interface SigningSecrets {
  readonly current: string;
  /** The one before, for as long as a rotation leaves it valid. */
  readonly previous?: string;
  /** Whether X-Signature, which has room for one, still uses the previous. */
  readonly previousLeads?: boolean;
}

const prefix = 'whsec_';

/**
 * The headers that prove a body's origin: X-Signature of the specification (Spec 6.3), and those of Standard Webhooks.
 * @param id of the event, the same at every attempt
 * @param timestampS seconds since 1970 of this attempt
 */
export function signatureHeaders(
  secrets: SigningSecrets,
  id: string,
  timestampS: number,
  body: string,
): Record<string, string> {
  const { current, previous, previousLeads } = secrets;
  const leading = previousLeads && previous !== undefined ? previous : current;
  const signed = `${id}.${timestampS}.${body}`;
  return {
    'X-Signature': createHmac('sha256', keysOf(leading).whole).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': `${timestampS}`,
    'webhook-signature': [current, ...(previous === undefined ? [] : [previous])]
      .map((secret) => `v1,${createHmac('sha256', keysOf(secret).decoded).update(signed).digest('base64')}`)
      .join(' '),
  };
}

interface Keys {
  /** The secret's own bytes as issued. */
  readonly whole: KeyObject;
  /** What it stands for in base64. */
  readonly decoded: KeyObject;
}

/** Made once for a secret: measured, a key given as bytes costs five times the signing of a body. */
const known = new Map<string, Keys>();
const mostKnown = 10_000;

function keysOf(secret: string): Keys {
  const before = known.get(secret);
  if (before) return before;
  if (known.size >= mostKnown) known.clear();
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const keys = {
    whole: createSecretKey(Buffer.from(secret)),
    decoded: createSecretKey(Buffer.from(text, 'base64')),
  };
  known.set(secret, keys);
  return keys;
}

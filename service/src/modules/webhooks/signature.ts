// Signs requests to webhook addresses. Implements both signatures; does not know where secrets are stored.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Secrets as issued: `whsec_` and base64. */
export interface SigningSecrets {
  readonly current: string;
  /** The previous secret, while a rotation keeps it valid. */
  readonly previous?: string;
  /** Whether X-Signature, which has only one signature, still uses the previous secret. */
  readonly previousLeads?: boolean;
}

const prefix = 'whsec_';

/**
 * The headers that prove a body's origin: X-Signature of the specification (Spec 6.3), and those of Standard Webhooks.
 * @param id id of the event, the same at every attempt
 * @param timestampS time of this attempt, seconds since 1970
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
  /** Key from the secret's text as issued. */
  readonly whole: KeyObject;
  /** Key from its base64-decoded bytes. */
  readonly decoded: KeyObject;
}

/** Created once per secret: as measured, passing a key as bytes costs five times as much as signing a body. */
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

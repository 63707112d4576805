// Signs what is sent to a webhook address. Knows the two ways of signing and nothing of where secrets are kept.
import { createHmac } from 'node:crypto';

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
    'X-Signature': createHmac('sha256', leading).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': `${timestampS}`,
    'webhook-signature': [current, ...(previous === undefined ? [] : [previous])]
      .map((secret) => `v1,${createHmac('sha256', keyBytes(secret)).update(signed).digest('base64')}`)
      .join(' '),
  };
}

const keyBytes = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');

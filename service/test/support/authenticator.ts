// An authenticator in software, for tests of passkeys at the service: it makes P-256 keys and signs as WebAuthn says
// (attestation "none"), and can be told to do it wrongly.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface How {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether it has checked its holder. */
  readonly verified?: boolean;
  /** Counts on from here; 0 for one that does not count. */
  readonly counter?: number;
  /** In place of the challenge that was asked. */
  readonly challenge?: string;
  readonly userHandle?: string;
}

interface Made {
  readonly id: string;
  readonly userHandle: string;
  readonly key: KeyObject;
  counter: number;
}

/** The options that the service gives, as far as they are looked at. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the service gives
type Options = any;

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();

/** CBOR of whole numbers, byte strings, texts and maps (RFC 8949). */
function cbor(value: number | Uint8Array | string | Map<number | string, unknown>): Buffer {
  const head = (kind: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(kind << 5) | n])
      : n < 256
        ? Buffer.from([(kind << 5) | 24, n])
        : Buffer.from([(kind << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([k, v]) => [cbor(k), cbor(v as number)])]);
  return Buffer.concat([head(2, value.length), value]);
}

export class Authenticator {
  readonly #origin: string;
  readonly #made: Made[] = [];

  constructor(origin = 'http://localhost:8080') {
    this.#origin = origin;
  }

  /** What `navigator.credentials.create` returns. */
  make(options: Options, how: How = {}) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(32);
    const counter = how.counter ?? 0;
    this.#made.push({ id: base64(id), userHandle: options.user.id, key: privateKey, counter });
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    const cose = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(cose)]);
    const data = Buffer.concat([this.#data(how.rpId ?? options.rp.id, counter, how, 0x40), attested]);
    const object = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', data],
    ]);
    return {
      id: base64(id),
      rawId: base64(id),
      type: 'public-key' as const,
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, how),
        attestationObject: base64(cbor(object)),
        transports: ['internal'],
      },
    };
  }

  /** What `navigator.credentials.get` returns, by the passkey made last. */
  use(options: Options, how: How = {}) {
    const made = this.#made.at(-1) as Made;
    if (how.counter !== undefined) made.counter = how.counter;
    else if (made.counter > 0) made.counter++;
    const data = this.#data(how.rpId ?? options.rpId, made.counter, how, 0);
    const clientDataJSON = this.#clientData('webauthn.get', options, how);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      id: made.id,
      rawId: made.id,
      type: 'public-key' as const,
      response: {
        clientDataJSON,
        authenticatorData: base64(data),
        signature: base64(sign('sha256', signed, made.key)),
        userHandle: how.userHandle ?? made.userHandle,
      },
    };
  }

  /** Authenticator data: the site's hash, what was checked, and the counter. */
  #data(rpId: string, counter: number, { verified = true }: How, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([0x01 | (verified ? 0x04 : 0) | flags]), count]);
  }

  #clientData(type: string, { challenge }: Options, how: How): string {
    const origin = how.origin ?? this.#origin;
    return base64(JSON.stringify({ type, challenge: how.challenge ?? challenge, origin, crossOrigin: false }));
  }
}

// What a browser sends when a passkey is made or used, and the challenges it answers. Checks signatures, origin and
// counter by the WebAuthn library; changes nobody.
import { isIP } from 'node:net';
import { refuse } from '../../core/refusal.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import type { Passkey } from '../../records/users.ts';
import type { Settings } from '../../settings.ts';
import { Named, Type } from '../kernel/operation.ts';
import { form } from '../kernel/text-forms.ts';
import { isFresh, opened } from './challenge.ts';
import type { User } from './user-store.ts';

/** Loaded with the first passkey: it takes a third of a second, which no start and no command should wait for. */
const webAuthn = () => import('@simplewebauthn/server');

const challengeMs = 5 * 60_000;
/** EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257];

const Base64Url = (description: string, maxLength: number) =>
  Type.String({
    description: `${description}, base64url.`,
    ...form('^[A-Za-z0-9_-]+$', 'base64url without padding, as the browser gives it'),
    maxLength,
  });
const credential = {
  id: Base64Url('Id that the authenticator knows the passkey by', 1400),
  rawId: Base64Url('The same id', 1400),
  type: Type.Enum(['public-key'], { description: 'Always `public-key`.' }),
};
const clientDataJSON = Base64Url('Challenge and origin, as the browser saw them', 2000);

export const PasskeyUsed = Named('PasskeyUsed', 'The answer of a passkey: `navigator.credentials.get`, as JSON.', {
  ...credential,
  response: Named('PasskeySignature', 'The signature of an authenticator.', {
    clientDataJSON,
    authenticatorData: Base64Url('Site, flags and counter', 1000),
    signature: Base64Url('Signature of both', 1000),
    userHandle: Type.Optional(Base64Url('The person whose passkey it is', 100)),
  }),
});
export const PasskeyMade = Named('PasskeyMade', 'A new passkey: `navigator.credentials.create`, as JSON.', {
  ...credential,
  response: Named('PasskeyKey', 'The public key of a new passkey.', {
    clientDataJSON,
    attestationObject: Base64Url('Public key, flags and counter', 8000),
    transports: Type.Optional(
      Type.Array(Type.String({ maxLength: 40 }), {
        maxItems: 10,
        description: 'Ways to reach the authenticator: `internal`, `usb` and so on.',
      }),
    ),
  }),
});
export type PasskeyUsed = Type.Static<typeof PasskeyUsed>;
export type PasskeyMade = Type.Static<typeof PasskeyMade>;

interface Challenge {
  /** The person who makes a passkey; null for a sign-in. */
  readonly user: string | null;
  readonly at: number;
}

const challengePlace = 'passkey challenge';
const makeChallenge = (vault: Vault, c: Challenge): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(vault.seal(JSON.stringify(c), challengePlace)));
const readChallenge = (vault: Vault, base64: string): Challenge | undefined =>
  opened<Challenge>(vault, Buffer.from(base64, 'base64url').toString(), challengePlace);

interface Site {
  /** The name that passkeys are bound to. */
  readonly id: string;
  /** Undefined for any port of this machine. */
  readonly origin: string | undefined;
}

/** Passkeys belong to a host name: that of BASE_URL, or localhost. @throws STATE_CONFLICT if it is an address */
function siteOf({ baseUrl }: Settings): Site {
  if (baseUrl === undefined) return { id: 'localhost', origin: undefined };
  const { hostname, origin } = new URL(baseUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0)
    throw refuse('STATE_CONFLICT', 'passkeys need a host name: BASE_URL is an IP address');
  return { id: hostname, origin };
}

/** The origin to expect: without BASE_URL, the one that was sent, if it is of this machine. */
function originOf({ origin }: Site, clientDataJSON: string): string {
  if (origin !== undefined) return origin;
  const sent = /"origin":"(http:\/\/localhost(?::\d{1,5})?)"/.exec(Buffer.from(clientDataJSON, 'base64url').toString());
  return sent?.[1] ?? 'http://localhost';
}

const handleOf = (u: User): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(u.id));

/** The person that a passkey names; undefined if it names none. */
export const personOf = ({ response }: PasskeyUsed): string | undefined => {
  const id = Buffer.from(response.userHandle ?? '', 'base64url').toString();
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : undefined;
};

/** What the browser needs to make a passkey that can be found without an e-mail and checks its holder. */
export async function askForNew(s: { readonly settings: Settings; readonly vault: Vault }, u: User, now: number) {
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: 'Assay',
    rpID: siteOf(s.settings).id,
    userID: handleOf(u),
    userName: u.email,
    userDisplayName: u.name,
    challenge: makeChallenge(s.vault, { user: u.id, at: now }),
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: (u.passkeys ?? []).map((p) => ({ id: p.credential, transports: [...p.transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** What the browser needs to use a passkey of the person who is at it. */
export async function askForAny(s: { readonly settings: Settings; readonly vault: Vault }, now: number) {
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: siteOf(s.settings).id,
    challenge: makeChallenge(s.vault, { user: null, at: now }),
    timeout: challengeMs,
    userVerification: 'required',
  });
}

export type NewKey = Pick<Passkey, 'credential' | 'publicKey' | 'counter' | 'transports'>;

/** @returns undefined if it does not answer a challenge of this person, or comes from another site */
export async function checkMade(
  s: { readonly settings: Settings; readonly vault: Vault },
  u: User,
  made: PasskeyMade,
  now: number,
): Promise<NewKey | undefined> {
  const site = siteOf(s.settings);
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await verifyRegistrationResponse({
    response: { ...made, clientExtensionResults: {} },
    expectedChallenge: (given) => {
      const c = readChallenge(s.vault, given);
      return c?.user === u.id && isFresh(c.at, now, challengeMs);
    },
    expectedOrigin: originOf(site, made.response.clientDataJSON),
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return {
    credential: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: made.response.transports ?? [],
  };
}

export interface Answered {
  readonly counter: number;
  /** When the challenge was issued. */
  readonly issued: number;
}

/** @returns undefined if the signature, the origin or the counter is wrong, or the service made no such challenge */
export async function checkUsed(
  s: { readonly settings: Settings; readonly vault: Vault },
  key: Passkey,
  used: PasskeyUsed,
  now: number,
): Promise<Answered | undefined> {
  const site = siteOf(s.settings);
  let issued: number | undefined;
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await verifyAuthenticationResponse({
    response: { ...used, clientExtensionResults: {} },
    expectedChallenge: (given) => {
      const c = readChallenge(s.vault, given);
      issued = c?.at;
      return c?.user === null && isFresh(c.at, now, challengeMs);
    },
    expectedOrigin: originOf(site, used.response.clientDataJSON),
    expectedRPID: site.id,
    credential: {
      id: key.credential,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
      counter: key.counter,
    },
    requireUserVerification: true,
  }).catch(() => undefined);
  return verified?.verified && issued !== undefined
    ? { counter: verified.authenticationInfo.newCounter, issued }
    : undefined;
}

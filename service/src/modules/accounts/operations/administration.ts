// Staff operations: new PSPs, keys, standing and holds. An addition to the specification; operator keys only.
import { Type } from 'typebox';
import { accountFromWire, fromWire } from '../../../core/ids.ts';
import { publicHoldCodes } from '../../../core/public-standing.ts';
import { notFound, Refusal, refuse } from '../../../core/refusal.ts';
import { operationalStandings, verificationLevels } from '../../../core/standing.ts';
import { AccountResource } from '../../../entries/accounts.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, Named, operation, Prose, Text } from '../../kernel/operation.ts';
import { accountResource } from '../account-resource.ts';
import { clientId, findAccount, findAnyAccount, type HasAccounts } from '../accounts.ts';
import { changeAccount, createAccount, type ForgetsSessions } from '../administer.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../administer-keys.ts';
import type { HasKeys } from '../keys.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys & ForgetsSessions;

/** The longest that replaced keys may go on working: a year. */
const longestGraceHours = 8784;
const Reason = Prose('Reason; recorded in the journal.', 500);

function accountParam(call: Pick<Call, 'params'>): string {
  const id = accountFromWire(call.params.accountId ?? '');
  if (!id) throw notFound();
  return id;
}

async function shown(s: Needs<'settings' | 'db'>, id: string, now: number) {
  const a = await findAnyAccount(s.db, id);
  const psp = a && (a.id === a.psp ? a : await findAccount(s.db, a.psp, a.psp));
  if (!a || !psp) throw notFound();
  return accountResource(s, a, psp, new Date(now).toISOString(), 'operator');
}

export const createPsp = operation({
  id: 'createPsp',
  method: 'POST',
  path: '/v1/admin/psp',
  tag: 'Administration',
  summary: 'Create a PSP with its first key',
  audience: ['operator'],
  body: Type.Object({ name: Text('Name.', 300), countryCode: Type.String({ minLength: 2, maxLength: 3 }) }),
  content: Named('PspCredentials', 'A new PSP with its first key and its secret.', {
    pspId: Type.String(),
    apiKey: Type.String(),
    secret: Type.String(),
  }),
  example: { name: 'Example Pay', countryCode: 'NG' },
  refusals: ['UNKNOWN_COUNTRY'],
  async handle(
    { principal, body, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'reference' | 'subjects'> & HasAccounts,
  ) {
    const country = s.reference.country(body.countryCode);
    if (country instanceof Refusal) throw country;
    const id = s.ids.next();
    const made = await createAccount(
      s,
      principal,
      { psp: id, id, kind: 'psp', name: body.name, country: country.alpha2 },
      now,
    );
    return {
      message: 'PSP created; keep apiKey and secret, they are not shown again',
      content: { pspId: clientId(made.account), apiKey: made.apiKey, secret: made.secret },
    };
  },
});

export const setStanding = operation({
  id: 'setStanding',
  method: 'POST',
  path: '/v1/admin/account/:accountId/standing',
  tag: 'Administration',
  summary: 'Change standing or verification level',
  description: 'Takes effect before the response is sent. CLOSED is final.',
  audience: ['operator'],
  body: Type.Object({
    operationalStanding: Type.Optional(Type.Enum([...operationalStandings])),
    verificationLevel: Type.Optional(Type.Enum([...verificationLevels])),
    reason: Reason,
  }),
  content: AccountResource,
  example: { operationalStanding: 'SUSPENDED', reason: 'licence lapsed' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Uses) {
    const { principal, body } = call;
    const id = accountParam(call);
    if (body.operationalStanding === undefined && body.verificationLevel === undefined)
      throw refuse('FIELD_REQUIRED', "the field 'operationalStanding' or 'verificationLevel' is required");
    await changeAccount(s, principal, id, body, call.now);
    return { message: 'standing changed', content: await shown(s, id, call.now) };
  },
});

export const placeHold = operation({
  id: 'placeHold',
  method: 'POST',
  path: '/v1/admin/account/:accountId/hold',
  tag: 'Administration',
  summary: 'Place a dated hold',
  audience: ['operator'],
  body: Type.Object({
    code: Type.String({
      description:
        'Short code, e.g. SANCTIONS_REVIEW. Operators see it; others only where it is one of the public codes.',
      pattern: '^[A-Z][A-Z0-9_]{1,39}$',
      maxLength: 40,
    }),
    publicCode: Type.Optional(
      Type.Enum([...publicHoldCodes], {
        description:
          'Public code of a blocking hold, which the client and its PSP see with a sentence. Default: `code` if it is one of these, else UNDER_REVIEW.',
      }),
    ),
    reason: Prose('Reason, for operators only; recorded in the journal.', 500),
    blocking: Type.Optional(
      Type.Boolean({
        description: 'True (default): declines transactions while in force. False: a remark that only operators see.',
      }),
    ),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Start of the hold; default: now.' })),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'End of the hold; default: open-ended.' })),
  }),
  content: AccountResource,
  example: { code: 'SANCTIONS_REVIEW', reason: 'name match under review' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED', 'STATE_CONFLICT'],
  async handle(call, s: Uses) {
    const { principal, body: b } = call;
    const id = accountParam(call);
    const from = b.from === undefined ? new Date(call.now).toISOString() : new Date(b.from).toISOString();
    const until = b.until === undefined ? null : new Date(b.until).toISOString();
    if (until !== null && until <= from) throw refuse('FIELD_INVALID', "the field 'until' must be later than 'from'");
    await changeAccount(
      s,
      principal,
      id,
      {
        reason: b.reason,
        hold: {
          id: s.ids.next(),
          code: b.code,
          ...(b.publicCode === undefined ? {} : { publicCode: b.publicCode }),
          reason: b.reason,
          blocking: b.blocking ?? true,
          from,
          until,
          setBy: principal.actor,
        },
      },
      call.now,
    );
    return { message: 'hold placed', content: await shown(s, id, call.now) };
  },
});

export const releaseHold = operation({
  id: 'releaseHold',
  method: 'POST',
  path: '/v1/admin/account/:accountId/hold/:holdId/release',
  tag: 'Administration',
  summary: 'End a hold',
  audience: ['operator'],
  body: Type.Object({ reason: Reason }),
  content: AccountResource,
  example: { reason: 'cleared' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Uses) {
    const id = accountParam(call);
    const release = fromWire('hold', call.params.holdId ?? '');
    if (!release) throw notFound();
    await changeAccount(s, call.principal, id, { reason: call.body.reason, release }, call.now);
    return { message: 'hold ended', content: await shown(s, id, call.now) };
  },
});

const KeyRow = Named('ApiKey', 'An API key, without the key itself.', {
  keyId: Type.String(),
  name: Type.String(),
  createdAt: Type.String(),
  expiresAt: Type.Union([Type.String(), Type.Null()]),
  revokedAt: Type.Union([Type.String(), Type.Null()]),
  lastUsedAt: Type.Union([Type.String(), Type.Null()]),
  lastUsedNetwork: Type.Union([Type.String(), Type.Null()], {
    description: 'Network it was last used from: an IPv4 /24 (`203.0.113.0/24`) or an IPv6 /64.',
  }),
});

export const issueAccountKey = operation({
  id: 'issueKey',
  method: 'POST',
  path: '/v1/admin/account/:accountId/key',
  tag: 'Administration',
  summary: 'Issue a further key',
  description:
    'A key of mode `test` belongs to a test account, separate from the live one and created with its first key; the response names it (`clientId`). See the how-to on testing an integration.',
  audience: ['operator'],
  body: Type.Object({
    name: Text('Purpose of the login.', 100),
    expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
    mode: Type.Optional(Type.Enum(['live', 'test'], { description: 'Default: live.' })),
    graceHours: Type.Optional(
      Type.Integer({
        description: 'Ends all other keys of the account after so many hours; 0: at once.',
        minimum: 0,
        maximum: longestGraceHours,
      }),
    ),
  }),
  content: Named('IssuedKey', 'A new API key.', {
    keyId: Type.String(),
    apiKey: Type.String(),
    name: Type.String(),
    expiresAt: Type.Union([Type.String(), Type.Null()]),
    mode: Type.Enum(['live', 'test']),
    clientId: Type.String({ description: 'The account it is a key of.' }),
    replaced: Type.Optional(
      Type.Array(
        Named('ReplacedKey', 'A key that ends.', {
          keyId: Type.String(),
          name: Type.String(),
          expiresAt: Type.String(),
        }),
        { description: 'With `graceHours`: the keys that end.' },
      ),
    ),
  }),
  example: { name: 'rotation 2026-12' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts & HasKeys) {
    const id = accountParam(call);
    const expiresAt = call.body.expiresAt === undefined ? null : new Date(call.body.expiresAt).toISOString();
    const { name, mode = 'live', graceHours } = call.body;
    // The key that is left when all others have ended must not end by itself, nor be another account's.
    if (graceHours !== undefined && (expiresAt !== null || mode === 'test'))
      throw refuse('FIELD_INVALID', "the field 'graceHours' does not go with 'expiresAt' or the mode 'test'");
    const content =
      graceHours === undefined
        ? await addKey(s, call.principal, id, { name, expiresAt, mode }, call.now)
        : await rotateKey(s, call.principal, id, name, graceHours * 3_600_000, call.now);
    return { message: 'key issued; keep apiKey, it is not shown again', content };
  },
});

export const listAccountKeys = operation({
  id: 'listKeys',
  method: 'GET',
  path: '/v1/admin/account/:accountId/key',
  tag: 'Administration',
  summary: 'Keys of an account',
  audience: ['operator'],
  content: Named('ApiKeyList', 'All keys of the account.', { items: Type.Array(KeyRow) }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const id = accountParam(call);
    if (!(await findAnyAccount(s.db, id))) throw notFound();
    return { message: 'keys', content: { items: await listKeys(s, id) } };
  },
});

export const revokeAccountKey = operation({
  id: 'revokeKey',
  method: 'POST',
  path: '/v1/admin/key/:keyId/revoke',
  tag: 'Administration',
  summary: 'Revoke a key',
  audience: ['operator'],
  body: Type.Object({ reason: Reason }),
  content: Named('RevokedKey', 'The API key that was revoked.', { keyId: Type.String(), revokedAt: Type.String() }),
  example: { reason: 'leaked' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys) {
    const id = fromWire('key', call.params.keyId ?? '');
    if (!id) throw notFound();
    return {
      message: 'key revoked',
      content: await revokeKey(s, call.principal, id, call.body.reason, call.now),
    };
  },
});

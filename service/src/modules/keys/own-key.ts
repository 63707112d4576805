// The account and the key that a call about the caller's own keys means, and how what a key made is returned.
import { type AccountId, fromWire } from '../../core/ids.ts';
import { type HasAccounts, listedClient, type ReachedKey, reachedKey, reachOf } from '../accounts/index.ts';
import { type Call, Named, type Needs, Reason, Time, Type } from '../kernel/operation.ts';
import { madeTypes } from './made.ts';

/** The caller's account, or its client named by x-client-id. @throws NOT_FOUND */
export const ownAccount = async (s: Needs<'db'> & HasAccounts, call: Call): Promise<AccountId> =>
  (await listedClient(s, call)) ?? call.principal.account;

/** The key in the path: of the caller's account or its clients; for operators any. @throws NOT_FOUND */
export const ownKey = async (s: Needs<'db'> & HasAccounts, call: Call): Promise<ReachedKey> =>
  reachedKey(
    s,
    fromWire('key', call.params.keyId ?? ''),
    call.principal.kind === 'operator' ? undefined : await reachOf(s, call),
  );

const MadeByKey = Named('MadeByKey', 'A thing that a key made, itself or through keys and people that it made.', {
  type: Type.Enum(Object.values(madeTypes), {
    description:
      'Kind of what was made. A person whose password was reset, who was let in again or given a role, and a login that was given a public key, count.',
  }),
  id: Type.String({ description: 'Id of what was made.' }),
  clientId: Type.String({ description: 'Account it belongs to.' }),
  name: Type.String({ description: 'Name, e-mail or address.' }),
  madeBy: Type.String({ description: 'The key or person that made it, `key_…` or `usr_…`.' }),
  madeAt: Type.String({ description: 'When it was made, ISO 8601 UTC.' }),
  active: Type.Boolean({ description: 'Whether it still works. A client is ended only by staff, by its standing.' }),
});
export const MadeList = Type.Array(MadeByKey, { description: 'Oldest first.' });

export const RevokeBody = Named('KeyRevocation', 'Why a key is revoked, and whether what it made ends too.', {
  reason: Reason,
  endMadeSince: Type.Optional(
    Time(
      'After a leak: also ends the keys, people, file drop logins and webhook addresses that the key made from this moment on, and those they made. Clients stay, with their keys revoked.',
    ),
  ),
});

export const RevokedKey = Named('RevokedKey', 'The API key that was revoked.', {
  keyId: Type.String(),
  revokedAt: Type.String(),
  made: Type.Optional(
    Type.Array(MadeByKey, { description: 'With `endMadeSince`: what the key made since then, oldest first.' }),
  ),
});

// The owners of a client as returned to those who may read them.
import { accountWire } from '../../core/ids.ts';
import { Named, Nullable, Type } from '../kernel/operation.ts';
import type { Owner } from './owners.ts';
import type { Verification } from './verification-store.ts';

export const ClientOwners = Named('ClientOwners', 'The owners of a client.', {
  clientId: Type.String(),
  owners: Type.Array(
    Named('ClientOwner', 'A person who owns a part of a client, or manages it.', {
      ownerId: Nullable(
        Type.String(),
        'Mark of the person among the owners, which a document names as `owner`; null if they were set by a version without it.',
      ),
      name: Nullable(Type.String(), 'Full name; null if it was erased.'),
      sharePercent: Type.String({ description: 'Percent held, as decimal text.' }),
      dateOfBirth: Nullable(Type.String(), 'Date of birth, `YYYY-MM-DD`; null if it was erased.'),
      countryCode: Nullable(Type.String(), 'Country of residence, ISO 3166-1 alpha-2; null if it is not known.'),
      director: Type.Optional(Type.Literal(true, { description: 'Present only on a director.' })),
    }),
    { description: 'All owners, as they were set.' },
  ),
  version: Type.Integer(),
  updatedAt: Type.String(),
});

/** @param owners undefined if they were erased */
export const shownOwners = (v: Verification, owners: readonly Owner[] | undefined) => ({
  clientId: accountWire(v.psp, v.account),
  owners: (
    owners ??
    (v.ownerShares ?? []).map((sharePercent) => ({ name: null, sharePercent, dateOfBirth: null, countryCode: null }))
  ).map((o, i) => ({ ownerId: v.ownerIds?.[i] ?? null, ...o })),
  version: v.version,
  updatedAt: v.updatedAt,
});

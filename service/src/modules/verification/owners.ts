// The owners and directors of a client: their shares in clear, their names and dates of birth sealed under the client's key.
import { createHmac } from 'node:crypto';
import type { AccountId, PspId } from '../../core/ids.ts';
import { type Refusal, refuse, said } from '../../core/refusal.ts';
import { shareUnits } from '../../core/requirements/due.ts';
import type { Database } from '../../platform/database.ts';
import { type Condition, type State, unexpected } from '../kernel/condition.ts';
import type { Needs } from '../kernel/needs.ts';
import { erased, openPersonal, readPersonal, type SubjectKey, sealPersonal } from '../kernel/subjects.ts';
import type { VerificationChange } from './change-verification.ts';
import { type ClientKey, ownersPlace, personOf, type Verification, verificationOf } from './verification-store.ts';

export interface Owner {
  readonly name: string;
  /** Percent, as decimal text. */
  readonly sharePercent: string;
  readonly dateOfBirth: string;
  /** ISO 3166-1 alpha-2; null if unknown. */
  readonly countryCode: string | null;
  /** Only on a director, who may own nothing. */
  readonly director?: true;
}

export const mostOwners = 50;
const whole = shareUnits('100');

/** Why a list of owners cannot be; undefined if it can. */
export function faultOf(owners: readonly Owner[], today: string): Refusal | undefined {
  let sum = 0n;
  for (const [i, o] of owners.entries()) {
    const units = shareUnits(o.sharePercent);
    if (units < 0n || (units === 0n && !o.director) || units > whole)
      return refuse(
        'FIELD_INVALID',
        said`the field 'owners[${i}].sharePercent' must be above 0, or 0 for a director, and at most 100`,
      );
    sum += units;
    if (o.dateOfBirth > today)
      return refuse('FIELD_INVALID', said`the field 'owners[${i}].dateOfBirth' must be a day of the past`);
  }
  return sum > whole
    ? refuse('FIELD_INVALID', "the shares of the field 'owners' are more than 100 % together")
    : undefined;
}

/** The mark of a person among a client's owners: the same however often they are set, and nobody's once the key is gone. */
const ownerId = (key: SubjectKey, account: string, o: Owner): string =>
  createHmac('sha256', key.key)
    .update(JSON.stringify([ownersPlace(account), o.name.normalize('NFC').trim().toLowerCase(), o.dateOfBirth]))
    .digest('hex')
    .slice(0, 16);

/** What the entity tag of a client's owners is of: as they are sealed, so that it tells nothing of who they are. */
export const ownersState = (v: Verification): State =>
  v.ownerShares === null ? undefined : [v.account, v.ownerShares, v.ownersSealed];

/** Replaces all owners; nothing changes if they are the same. */
export const ownersSet = (
  owners: readonly Owner[],
  reason: string | undefined,
  condition: Condition | undefined,
): VerificationChange => ({
  changed: 'owners',
  reason,
  seals: true,
  to(before, _, key) {
    const place = ownersPlace(before.account);
    const { ownersSealed: sealed } = before;
    const known = sealed === null ? undefined : openPersonal(key, sealed, place);
    if (JSON.stringify(known) === JSON.stringify(owners) && before.ownerIds !== null) return before;
    const refusal = unexpected(condition, ownersState(before));
    if (refusal) return refusal;
    const sealing = key as SubjectKey;
    const { subject } = sealing;
    return {
      ...before,
      ownerShares: owners.map((o) => o.sharePercent),
      ownerIds: owners.map((o) => ownerId(sealing, before.account, o)),
      ownersSealed: sealPersonal(sealing, owners, place),
      subject,
    };
  },
});

/** @returns undefined if nothing was said of owners; `erased` if the client was erased */
export async function readOwners(
  s: Needs<'db' | 'subjects'>,
  v: Verification | undefined,
): Promise<readonly Owner[] | typeof erased | undefined> {
  if (v === undefined || v.ownerShares === null) return undefined;
  const read = await readPersonal(s, { ...v, sealed: v.ownersSealed }, ownersPlace(v.account));
  return read === erased ? erased : (read as readonly Owner[]);
}

/** A client's owners with the key that they were opened with. */
export interface OpenedOwners {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly key: SubjectKey;
  readonly owners: readonly Owner[];
}

/** @returns nothing if they cannot be read, as of an erased client */
export function openOwners(
  key: SubjectKey | undefined,
  { psp, account }: Pick<OpenedOwners, 'psp' | 'account'>,
  sealed: string,
): OpenedOwners | undefined {
  const owners = openPersonal(key, sealed, ownersPlace(account));
  return key && owners !== undefined ? { psp, account, key, owners: owners as readonly Owner[] } : undefined;
}

/** The owners of those clients that said something of them and were not erased. */
export async function ownersOfClients(
  s: Needs<'subjects'>,
  db: Database,
  clients: readonly ClientKey[],
): Promise<OpenedOwners[]> {
  if (clients.length === 0) return [];
  const shown = [...(await verificationOf.load(db, clients)).values()].filter((v) => v.ownersSealed !== null);
  const keys = shown.length === 0 ? new Map<string, SubjectKey>() : await s.subjects.load(db, shown.map(personOf));
  return shown.flatMap((v) => openOwners(keys.get(s.subjects.text(personOf(v))), v, v.ownersSealed as string) ?? []);
}

// A match as it is journalled, and as it is shown to staff and to its PSP: never to a client.
import { accountWire, toWire } from '../../core/ids.ts';
import { Numeral } from '../../core/money.ts';
import type { ListMatch, MatchDetail } from '../../core/screening/match.ts';
import { matchFields } from '../../entries/list-matches.ts';
import type { Database } from '../../platform/database.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import { Named, Nullable, Type } from '../kernel/operation.ts';
import type { Principal } from '../kernel/principal.ts';
import { readPersonal, type SubjectKeys } from '../kernel/subjects.ts';
import { FieldScores } from './schemas.ts';

export const journalled = (m: ListMatch) => ({
  matchId: toWire('match', m.id),
  pspId: toWire('psp', m.psp),
  clientId: accountWire(m.psp, m.account),
  transactionId: m.transaction === null ? null : toWire('transaction', m.transaction),
  matched: m.what,
  list: m.list,
  shared: m.shared,
  purpose: m.purpose,
  ref: m.ref,
  entryRevision: m.revision,
  score: m.score,
  state: m.state,
  exception: m.exception,
  version: m.version,
  createdAt: m.createdAt,
  updatedAt: m.updatedAt,
});

export const MatchResource = Named(
  'ListMatch',
  'A match of a client, an owner of a client, a customer or a wallet with an entry of a list.',
  {
    ...matchFields,
    asked: Nullable(Type.String(), 'The name or address compared; null if erased, and of owners for auditors.'),
    name: Nullable(Type.String(), 'The listed name that matches best; null if the person was erased.'),
    fields: FieldScores,
  },
);

/** Where a match's detail belongs. */
export const matchPlace = (id: string): string => `list_matches/${id}`;

const none = { asked: null, name: null, fields: [] };

interface DetailNeeds {
  readonly db: Database;
  readonly vault: Vault;
  readonly subjects: SubjectKeys;
}

/** What was compared, and with what; undefined if the person was erased. */
export async function matchDetail(s: DetailNeeds, m: ListMatch): Promise<MatchDetail | undefined> {
  const place = matchPlace(m.id);
  const detail =
    m.subject === null
      ? (JSON.parse(s.vault.open(m.detail, place)) as MatchDetail)
      : await readPersonal(s, { psp: m.psp, subject: m.subject, sealed: m.detail }, place);
  if (!isDetail(detail)) return undefined;
  // What is sealed for a person is read as JSON whose numbers are texts.
  const score = (read: number | Numeral) => (read instanceof Numeral ? read.toJSON() : read);
  return { ...detail, fields: detail.fields.map((f) => ({ ...f, score: score(f.score) })) };
}

/** Names and dates of birth of owners are not for auditors, here as in getClientOwners. */
export async function matchResource(s: DetailNeeds, m: ListMatch, { role }: Pick<Principal, 'role'>) {
  const detail = (await matchDetail(s, m)) ?? none;
  const hidden = m.what === 'OWNER' && role === 'auditor' ? { asked: null, fields: [] } : {};
  return { ...journalled(m), ...detail, ...hidden };
}

const isDetail = (value: unknown): value is MatchDetail =>
  typeof value === 'object' && value !== null && 'fields' in value;

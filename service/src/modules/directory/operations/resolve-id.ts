// GET /v1/id/:id: the kind and owner of an id, and the record that shows it. What the caller may not see is answered as
// what does not exist.
import { resourceWire } from '../../../core/entry-resources.ts';
import {
  type AccountId,
  accountWire,
  anyFromWire,
  type IdKind,
  idPrefixes,
  nobody,
  type PspId,
  toWire,
} from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { permits } from '../../../core/scopes.ts';
import { accountResource, findAccount, type HasAccounts, reachOf, viewerOf } from '../../accounts/index.ts';
import { type Call, Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { type IdPlace, idPlaces } from '../id-places.ts';
import { type FoundId, findEntry, findId } from '../id-store.ts';

const kinds = Object.keys(idPrefixes) as IdKind[];
export type DirectoryUses = Needs<'db' | 'settings'> & HasAccounts;

export const resolveId = operation({
  id: 'resolveId',
  method: 'GET',
  path: '/v1/id/:id',
  tag: 'Overview',
  summary: 'Find out what an id refers to',
  description:
    'Takes an id of any kind. Staff need not name the PSP. What the caller may not see is answered as what does not exist.',
  audience: ['psp', 'client', 'operator'],
  content: Named('ResolvedId', 'The kind and the owner of an id.', {
    id: Type.String({ description: 'The id in the path.' }),
    kind: Type.Enum(kinds, { description: 'Kind of the id.' }),
    pspId: Nullable(Type.String(), 'PSP it belongs to; null for what belongs to none.'),
    clientId: Nullable(Type.String(), 'Account it belongs to; null for what belongs to none.'),
    shownWith: Nullable(
      Type.String(),
      'Id of the record that shows it, such as the transaction of a chargeback; null if it is shown by itself.',
    ),
    name: Nullable(Type.String(), 'Name of the list that was loaded, or kind of the proposal; null for other kinds.'),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: DirectoryUses) {
    const named = anyFromWire(call.params.id ?? '');
    const content = named && (await resolve(s, call, named.kind, named.id));
    if (!content) throw notFound();
    return { message: 'found', content };
  },
});

export interface Resolved {
  readonly id: string;
  readonly kind: IdKind;
  readonly pspId: string | null;
  readonly clientId: string | null;
  readonly shownWith: string | null;
  readonly name: string | null;
}

/** Undefined if there is no such id, or the caller may not see it. */
export async function resolve(s: DirectoryUses, call: Call, kind: IdKind, id: string): Promise<Resolved | undefined> {
  const { principal } = call;
  const place = idPlaces[kind];
  if (!place.audience.includes(principal.kind) || !permits(principal.scopes, place.area, 'GET')) return undefined;
  const reach = principal.kind === 'operator' ? undefined : await reachOf(s, call);
  const found: FoundEvent | undefined =
    (await findId(s.db, kind, id, reach?.psp)) ?? (kind === 'event' ? await entry(s, call, id, reach) : undefined);
  if (!found) return undefined;
  const { psp, account } = found;
  if (reach?.account !== undefined && psp !== null && account !== reach.account) return undefined;
  if (kind === 'hold' && psp !== null && account !== null && !(await seesHold(s, call, psp, account, id)))
    return undefined;
  return {
    id: toWire(kind, id),
    kind,
    pspId: psp === null || psp === nobody ? null : toWire('psp', psp),
    clientId: psp === null || psp === nobody || account === null ? null : accountWire(psp, account),
    shownWith: found.about === undefined ? shownWith(place, found) : found.about,
    name: found.name,
  };
}

function shownWith(place: IdPlace, { psp, shownWith: id }: FoundId): string | null {
  if (place.shownWith === undefined || id === null) return null;
  const [kind] = place.shownWith;
  return kind === 'account' ? accountWire(psp ?? nobody, id) : toWire(kind, id);
}

type FoundEvent = FoundId & { readonly about?: string | null };

/** An event that was sent to nobody is an entry of the journal, which clients do not read. */
async function entry(
  s: DirectoryUses,
  { principal }: Call,
  id: string,
  reach: { readonly psp: PspId } | undefined,
): Promise<FoundEvent | undefined> {
  if (principal.kind === 'client' || !permits(principal.scopes, 'records', 'GET')) return undefined;
  const e = await findEntry(s.db, id, reach?.psp);
  // Changes that only operators may see are no matter of the PSP.
  if (!e || (e.kind === 'client.changed_privately' && viewerOf(principal) !== 'operator')) return undefined;
  const about = resourceWire(e.kind, e.psp, e.resource);
  return { psp: e.psp, account: e.account, shownWith: null, name: null, about };
}

/** Whether the reader is shown the hold; operators see those that ended, too. */
async function seesHold(s: DirectoryUses, call: Call, psp: PspId, account: AccountId, hold: string): Promise<boolean> {
  const viewer = viewerOf(call.principal);
  const [held, owner] = await Promise.all([findAccount(s.db, psp, account), findAccount(s.db, psp, psp)]);
  if (!held || !owner || !held.holds.some((h) => h.id === hold)) return false;
  const { flags } = accountResource(s, held, owner, new Date(call.now).toISOString(), viewer);
  return viewer === 'operator' || flags.some((f) => f.id === toWire('hold', hold));
}

import { kindsNamed, recordKinds } from '../../../core/entry-resources.ts';
import { fromWire, type IdKind, idPrefixes, toWire } from '../../../core/ids.ts';
import { refuse, said } from '../../../core/refusal.ts';
import { readToShow } from '../../../entries/read.ts';
import type { Database } from '../../../platform/database.ts';
import { pspsWithJournal } from '../../../platform/journal-cursor.ts';
import { type HasAccounts, listedClient, viewerOf } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { Id, type Needs, operation, Time, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, pageQuery } from '../../kernel/paging.ts';
import { EntryResource, entryResource, namesOf, readableBody } from '../entry-resource.ts';
import {
  accountsBefore,
  administrationEntries,
  type EntryFilter,
  numberedEntries,
  resourceEntries,
} from '../journal-reads.ts';

const query = Type.Object({
  ...pageQuery,
  ...countQuery,
  kind: Type.Optional(
    Type.String({
      description: 'Kinds of entry, or their first word for all of them, separated by commas: `client.updated,key`.',
      maxLength: 400,
    }),
  ),
  ...clientQuery,
  resource: Type.Optional(Id('Id of the record or resource, of any kind.')),
  actor: Type.Optional(Type.String({ description: '`key_…`, `usr_…`, `system`, or a login name.', maxLength: 200 })),
  from: Type.Optional(Time('Written at or after.')),
  to: Type.Optional(Time('Written before.')),
  records: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        'Includes entries of transactions, baskets, wagers, payouts, chargebacks and call detail records. Default: only if `kind` or `resource` names one.',
    }),
  ),
  expand: Type.Optional(
    Type.Enum(['data'], { description: '`data` adds the resource after the change, and the evidence.' }),
  ),
});
type Query = Type.Static<typeof query>;

export const listJournal = operation({
  id: 'listJournal',
  method: 'GET',
  path: '/v1/journal',
  tag: 'Audit',
  summary: 'List journal entries',
  description:
    "Entries of the journal, newest first, each with its actor. An operator sees its own entries and those of every PSP; entries of records only for the PSP in the header x-psp-id. Personal data is sealed in the journal and never shown. Operators' remarks and private reasons are shown to operators only.",
  audience: ['psp', 'operator'],
  query,
  content: Page(EntryResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query: q } = call;
    const limit = (q.limit ?? 50) + 1;
    const own = principal.kind === 'operator' ? undefined : principal.psp;
    const kinds = readKinds(q.kind);
    const viewer = viewerOf(principal);
    const filter = {
      psps: own === undefined ? await pspsWithJournal(s.db) : [own],
      kinds,
      withoutPrivate: viewer !== 'operator',
      account: await listedClient(s, call, q.clientId),
      actor: q.actor,
      from: q.from,
      to: q.to,
      limit,
    };
    const way =
      q.resource !== undefined
        ? 'resource'
        : q.records === 'true' || kinds?.some((k) => (recordKinds as readonly string[]).includes(k))
          ? 'numbered'
          : 'administration';
    if (way === 'numbered' && own === undefined)
      throw refuse('QUERY_INVALID', 'entries of records are listed for one PSP: name it in the header x-psp-id');
    const list = (db: Database, f: EntryFilter, cursor: Query) =>
      way === 'resource'
        ? resourceEntries(db, { ...f, resource: readResource(q.resource ?? '') }, readId(cursor))
        : way === 'numbered'
          ? numberedEntries(db, f, readNumber(cursor))
          : administrationEntries(db, f, readId(cursor));
    const found = await list(s.db, filter, q);
    const total = await totalOf(s, q, (db, most) => list(db, { ...filter, limit: most }, {}));
    const entries = found.slice(0, limit - 1);
    const bodies = entries.map((e) => readableBody(e, readToShow(e.body), viewer));
    // Staff acting as a PSP also see their colleagues' names.
    const named = await namesOf(s.db, call.principal.staff ? undefined : own, bodies);
    const before = await accountsBefore(
      s.db,
      entries.filter((e) => e.kind === 'client.updated'),
    );
    const bodyBefore = (id: string) => {
      const entry = before.get(id);
      return entry && readableBody(entry, readToShow(entry.body), viewer);
    };
    const last = found.length === limit ? entries.at(-1) : undefined;
    return {
      message: 'journal',
      content: {
        items: entries.map((e, i) =>
          entryResource(e, bodies[i] as (typeof bodies)[number], named, q.expand === 'data', bodyBefore(e.id)),
        ),
        nextCursor: last ? (way === 'numbered' ? String(last.seq) : toWire('event', last.id)) : null,
        ...total,
      },
    };
  },
});

function readKinds(asked: string | undefined): readonly string[] | undefined {
  if (asked === undefined) return undefined;
  return asked.split(',').flatMap((part) => {
    const name = part.trim();
    const named = kindsNamed(name);
    if (!named) throw refuse('QUERY_INVALID', said`the query parameter 'kind' knows no '${name.slice(0, 40)}'`);
    return named;
  });
}

function readResource(text: string): string {
  for (const kind of Object.keys(idPrefixes) as IdKind[]) {
    const id = fromWire(kind, text);
    if (id !== undefined) return id;
  }
  throw refuse('QUERY_INVALID', "the query parameter 'resource' is no id: txn_…, cli_…, key_…");
}

const noCursor = () => refuse('QUERY_INVALID', "the query parameter 'cursor' is not a cursor of this list");

function readId({ cursor }: Query): string | undefined {
  const id = cursor === undefined ? undefined : fromWire('event', cursor);
  if (cursor !== undefined && id === undefined) throw noCursor();
  return id;
}

function readNumber({ cursor }: Query): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,15}$/.test(cursor)) throw noCursor();
  return Number(cursor);
}

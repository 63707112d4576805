// Adds the lookups of records from version 0.1, whose telephone numbers, wallets and addresses are sealed or in their
// canonical request: opens what is sealed and stores keyed hashes. Skips erased persons.
import type { AccountId, PspId } from '../../core/ids.ts';
import { type Json, parseJson } from '../../core/json.ts';
import type { Backfill } from '../../platform/backfills.ts';
import type { Database } from '../../platform/database.ts';
import { errorFields } from '../../platform/log.ts';
import { isBlind } from '../../platform/sealed-secrets.ts';
import type { Needs } from '../kernel/needs.ts';
import { openPersonal, type SubjectKey } from '../kernel/subjects.ts';
import { putLookups } from './lookup-store.ts';
import { type FoundBy, lookupRows, type NamedKind } from './lookups.ts';

/** The fields a backfill reads of a record. */
interface Submitted {
  readonly psp: PspId;
  readonly id: string;
  readonly account: AccountId;
  readonly country: string;
  readonly request: string;
  readonly sealed: string | null;
  readonly subject: string | null;
}

export interface LookupsOf<R extends Submitted> {
  readonly kind: NamedKind;
  /** Names of the sealed fields. */
  readonly personal: readonly string[];
  /** Context under which the record's text is sealed. */
  row(id: string): string;
  /** @param rest SQL of the statement after the table's name */
  read(tx: Database, rest: string, values: readonly unknown[]): Promise<readonly R[]>;
  /** @param body the submission, without parts that cannot be opened */
  namedIn(body: Readonly<Record<string, unknown>>, record: R): FoundBy;
}

const stepRows = 1000;
const nil = '00000000-0000-0000-0000-000000000000';

export const lookupsBackfill = <R extends Submitted>(s: Needs<'subjects' | 'log'>, o: LookupsOf<R>): Backfill => ({
  name: `lookups of ${o.kind}s`,
  async step(tx, reached) {
    // By key, whatever the rows contain, so that a step stays short even if few of them name a person.
    const [psp, id] = reached === '' ? [nil, nil] : reached.split(' ');
    const records = await o.read(tx, `WHERE (psp_id, id) > ($1, $2) ORDER BY psp_id, id LIMIT ${stepRows}`, [psp, id]);
    const named = records.flatMap((r) => (r.subject === null ? [] : [{ ...r, subject: r.subject }]));
    const persons = new Map(named.map((r) => [s.subjects.text(r), { psp: r.psp, subject: r.subject }]));
    const keys = await s.subjects.load(tx, [...persons.values()]);
    const rows = named.flatMap((r) => {
      const body = submitted(s, o, r, keys.get(s.subjects.text(r)));
      return lookupRows(s.subjects, o.kind, r, o.namedIn(body, r));
    });
    await putLookups(
      tx,
      rows.map(([, columns]) => columns),
    );
    const last = records.at(-1);
    return last && `${last.psp} ${last.id}`;
  },
});

/** The submission, without parts that cannot be opened. */
function submitted<R extends Submitted>(
  s: Needs<'log'>,
  o: LookupsOf<R>,
  r: R,
  key: SubjectKey | undefined,
): Record<string, unknown> {
  const body = parseJson(r.request) as Record<string, Json>;
  for (const field of o.personal) if (isBlind(body[field])) delete body[field];
  try {
    return r.sealed === null ? body : { ...body, ...(openPersonal(key, r.sealed, o.row(r.id)) as object | undefined) };
  } catch (e) {
    // The audit reports what is wrong with it; the other records still get their lookups.
    s.log.warn({ kind: o.kind, id: r.id, ...errorFields(e) }, 'what is sealed of a record cannot be opened');
    return body;
  }
}

// All SQL on call detail records.
import { maskNumber } from '../../core/cdr/masks.ts';
import {
  type ColumnValues,
  isPersonal,
  pathOf,
  personalColumns,
  pick,
  readValues,
  toNested,
} from '../../core/cdr/record.ts';
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import type { Content } from '../../entries/index.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { type CallWarning, cdrs } from '../../records/cdrs.ts';
import type { RowOf } from '../../records/define.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';
import type { ListFilter } from '../kernel/list-filter.ts';
import type { callColumns } from './call-columns.ts';
import { knownColumns } from './cdr-row.ts';
import { type CallFilter, callsSql, callsValues } from './findings/call-filter.ts';
import { type Side, sideOf } from './seal-cdr.ts';

export type CdrWarning = CallWarning;

/** A call detail record as stored. `cdrId` is the operator's id; `content` see seal-cdr.ts. */
export type CdrRecord = RecordOf<typeof cdrs, { cdr_id: 'cdrId' }>;

/** A record to store: the fields that lists and reports read are taken from its values. */
export type NewCdr = Omit<
  CdrRecord,
  keyof RecordOf<{ columns: Pick<typeof cdrs.columns, keyof ReturnType<typeof callColumns>> }>
>;

/** @param values the values that `record` is the JSON text of */
export const cdrRow = (c: NewCdr, values: ColumnValues) =>
  row('cdrs', {
    ...knownColumns(c, values),
    id: c.id,
    sealed: c.sealed,
    created_at: c.createdAt,
    receiver_sealed: c.receiverSealed,
    caller_generation: c.callerGeneration,
    receiver_generation: c.receiverGeneration,
  });

const table = tableOf(cdrs, { cdr_id: 'cdrId' });

const refText = (psp: PspId, account: string, cdrId: string) => `${psp}|${account}|${cdrId}`;

/** The record that an operator's own id leads to. */
export interface HeldCdr extends CdrRecord {
  readonly refRevision: number;
  readonly isWithdrawn: boolean;
  /** Number of the journal's entries about the record itself. */
  readonly entries: number;
}

/** Finds the record in force by its account and the operator's own id; if that was withdrawn alone, this one. */
export const cdrByRef: FactLoader<RefKey, HeldCdr> = {
  name: 'cdr-by-ref',
  text: (k) => refText(k.psp, k.account, k.ref),
  async load(db, keys) {
    const rows = await db.query<RowOf<typeof cdrs> & { refRevision: number; isWithdrawn: boolean; entries: number }>(
      `SELECT ${table.columns('c')}, r.revision AS "refRevision", w.id IS NOT NULL AS "isWithdrawn",
         (SELECT count(*) FROM journal j WHERE j.psp_id = c.psp_id AND j.resource_id = c.id)::integer AS entries
       FROM refs r
       JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
         ON r.psp_id = k.p AND r.space = 'cdr' AND r.ref = k.f AND r.account_id = k.a
       JOIN cdrs c ON c.psp_id = r.psp_id AND c.id = r.target_id
       LEFT JOIN cdr_withdrawals w ON w.psp_id = c.psp_id AND w.id = c.id`,
      [keys.map((k) => k.psp), keys.map((k) => k.ref), keys.map((k) => k.account)],
    );
    return new Map(
      rows.map(({ refRevision, isWithdrawn, entries, ...r }) => {
        const c = table.fromRow(r as RowOf<typeof cdrs>);
        return [refText(c.psp, c.account, c.cdrId), { ...c, refRevision, isWithdrawn, entries }];
      }),
    );
  },
};

export const findCdr = (db: Database, psp: PspId, id: string): Promise<CdrRecord | undefined> =>
  table.find(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);

export const findCdrs = (db: Database, psp: PspId, ids: readonly string[]): Promise<CdrRecord[]> =>
  table.read(db, 'WHERE psp_id = $1 AND id = ANY ($2::uuid[])', [psp, ids]);

/** The numbers of a record with most of their digits hidden, those of rows of earlier versions too. */
export const maskedNumbers = (c: CdrRecord): ShownNumbers => ({
  caller: c.callerMask ?? maskNumber(c.callerNumber ?? ''),
  receiver: c.receiverMask ?? maskNumber(c.receiverNumber ?? ''),
});

/** Those recorded at or after `from`, and before `to`. */
export type CdrFilter = ListFilter<'callType' | 'from' | 'to'> & { readonly calls?: CallFilter | undefined };

/** Newest first. */
export const listCdrs = (db: Database, f: CdrFilter): Promise<CdrRecord[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR call_type = $3)
       AND ($4::timestamptz IS NULL OR id >= uuid_floor($4)) AND ($5::timestamptz IS NULL OR id < uuid_floor($5))
       AND ($6::uuid IS NULL OR id < $6)${callsSql(8)}
     ORDER BY id DESC LIMIT $7`,
    [f.psp, f.account, f.callType, f.from, f.to, f.before, f.limit, ...callsValues(f.calls)],
  );

export interface NumberFilter {
  readonly psp: PspId;
  /** The number as columns store it: its keyed hash, and in rows of earlier versions the number itself. */
  readonly forms: readonly string[];
  readonly account: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

/** Calls from or to the number, newest first; each side has an index. */
export function callsOfNumber(db: Database, f: NumberFilter): Promise<{ id: string; account: string }[]> {
  const found = ['caller_number', 'receiver_number'].flatMap((column) =>
    f.forms.map(
      (_, i) => `(SELECT id, account_id AS account FROM cdrs
     WHERE psp_id = $1 AND ${column} = $${5 + i} AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4)`,
    ),
  );
  return db.query(`${found.join(' UNION ')} ORDER BY id DESC LIMIT $4`, [
    f.psp,
    f.account,
    f.before,
    f.limit,
    ...f.forms,
  ]);
}

/** What is shown in place of a record's numbers. */
export type ShownNumbers = { readonly [S in Side]: string };

/** The record as shown and journalled, without personal data other than `numbers`. */
export const cdrResource = (c: NewCdr, numbers: ShownNumbers) => ({
  cdrId: toWire('cdr', c.id),
  clientId: accountWire(c.psp, c.account),
  recordedBy: accountWire(c.psp, c.recordedBy),
  callType: c.callType,
  record: toNested({
    ...pick(readValues(c.record), (column) => !isPersonal(column)),
    caller_number: numbers.caller,
    receiver_number: numbers.receiver,
  }) as Content<'cdr.recorded/2'>['data']['record'],
  warnings: c.warnings,
  createdAt: c.createdAt,
});

/**
 * Wire names of the personal fields that were sent for one side. In rows of earlier versions, which have no key of the
 * receiver, the caller's key sealed both sides.
 */
export const personalNames = (c: CdrRecord, side: Side): string[] => {
  const values = readValues(c.record);
  const given = personalColumns.filter(
    (column) => values[column] !== undefined && (c.receiverSubject === null || sideOf(column) === side),
  );
  return [...new Set(given.map((column) => pathOf(column).split('.')[0] as string))];
};

// The arguments of the commit function: a batch's expectations and rows, each with the number of its command.
import type { PspId } from '../core/ids.ts';
import type { RecordDefinition } from '../records/define.ts';
import { records } from '../records/index.ts';
import { refs } from '../records/refs.ts';
import type { NewSubjectKey, RefKey, Writes } from './command.ts';
import { type CommitFunction, makeCommitFunction } from './commit-function.ts';
import { expectsVersion, liesWithPsp } from './commit-statements.ts';
import { digestOfRow, type RowDigest, vouch } from './row-digests.ts';
import { type Columns, columnsOf, encodeNumbers, encodeRows, type RowValues } from './row-encoder.ts';

/** The OID of the type of each table's rows, by table; it differs between databases. */
export type RowTypes = ReadonlyMap<string, number>;

/** The rows a version writes, and the function that writes them. */
export interface CommitForm {
  readonly function: CommitFunction;
  readonly definitions: readonly RecordDefinition[];
  call(writes: readonly Writes[], rowTypes: RowTypes): Call;
  callAt(place: string, writes: readonly Writes[], rowTypes: RowTypes): Call;
  lieWithPsp(writes: Writes): boolean;
  pspOf(writes: readonly Writes[]): string | undefined;
  partsOf(writes: readonly Writes[]): readonly (readonly Writes[])[];
}

/** A call of the function, as a named prepared statement. */
interface Call {
  readonly name: string;
  readonly text: string;
  /** In the order of the function's parameters; null for an empty one. */
  readonly values: (string | Buffer | null)[];
}

/** A form with the type OIDs of one database: all the committer needs to know about what it writes. */
export interface BoundForm {
  call(writes: readonly Writes[]): Call;
  /** For writes of one place of a distributed database, on the server that has it, in whose types the form is bound. */
  callAt(place: string, writes: readonly Writes[]): Call;
  /** Whether all rows lie with their PSP, so that the server that has them can commit them by itself. */
  lieWithPsp(writes: Writes): boolean;
  /** The only PSP whose records the writes change; undefined if there are several, or none. */
  pspOf(writes: Writes): string | undefined;
  /** Each PSP's part of all of the writes, in the order of the PSPs, for a call of its own. */
  partsOf(writes: readonly Writes[]): readonly (readonly Writes[])[];
}

export const bind = (form: CommitForm, rowTypes: RowTypes): BoundForm => ({
  call: (writes) => form.call(writes, rowTypes),
  callAt: (place, writes) => form.callAt(place, writes, rowTypes),
  lieWithPsp: form.lieWithPsp,
  pspOf: (writes) => form.pspOf([writes]),
  partsOf: form.partsOf,
});

/** How rows under one name are sent. */
interface Written {
  readonly name: string;
  readonly table: string;
  readonly columns: Columns;
  /** Number of columns covered by the journal's digests. */
  readonly vouched: number;
  /** Whether the commands of the rows are sent beside them, not with those of others. */
  readonly ownCommands: boolean;
}

export function makeCommitForm(records: readonly RecordDefinition[], refs: RecordDefinition): CommitForm {
  const made = makeCommitFunction(records, refs);
  const written = records.flatMap((r) => {
    const columns = columnsOf(r.columns);
    return Object.entries(r.writes).map(([name, write]) => ({
      ...{ name, table: r.table, columns, vouched: vouchedColumns(r), ownCommands: expectsVersion(write) },
    }));
  });
  const refColumns = columnsOf(refs.columns);
  const ofOnePsp = new Set(records.filter(liesWithPsp).flatMap((r) => Object.keys(r.writes)));
  const pspOf = (writes: readonly Writes[]) => onlyPsp(writes, ofOnePsp);
  const textOf = (name: string, parameters: number) =>
    `SELECT ${name}(${Array.from({ length: parameters }, (_, i) => `$${i + 1}`).join(',')}) AS failed`;
  const ofMany = { name: 'commit_batch', text: textOf(made.name, made.parameters) };
  const ofOne = { name: 'commit_batch_psp', text: textOf(made.nameOfOne, made.parameters + 1) };
  return {
    function: made,
    definitions: [refs, ...records],
    pspOf,
    partsOf: (writes) => partsOf(writes, ofOnePsp),
    call: (writes, rowTypes) => {
      const psp = pspOf(writes);
      const values = parameters(writes, rowTypes, written, refColumns);
      return psp === undefined ? { ...ofMany, values } : { ...ofOne, values: [psp, ...values] };
    },
    callAt: (place, writes, rowTypes) => ({
      name: `commit_at_${place}`,
      text: textOf(made.nameAt(place), made.parameters),
      values: parameters(writes, rowTypes, written, refColumns),
    }),
    lieWithPsp: (writes) => writes.rows.every(([name]) => ofOnePsp.has(name)),
  };
}

/** How this version sends the rows of its records to the commit function. */
export const commitForm = makeCommitForm(records, refs);

/**
 * The PSP of all writes; undefined if there are several.
 * @param ofOnePsp names of rows that lie with their PSP
 */
function onlyPsp(writes: readonly Writes[], ofOnePsp: ReadonlySet<string>): string | undefined {
  let psp: PspId | undefined;
  for (const w of writes) {
    for (const named of [w.erasures, w.subjects, w.refsHeld, w.refsNew])
      for (const x of named ?? []) if ((psp ??= x.psp) !== x.psp) return undefined;
    for (const [name, row] of w.rows) {
      if (!ofOnePsp.has(name)) continue;
      const id = (row as RowValues).psp_id as PspId;
      if ((psp ??= id) !== id) return undefined;
    }
  }
  // Who only expects something of accounts has no records: any PSP among them will do.
  return psp ?? writes[0]?.accounts?.[0]?.psp;
}

/** The PSP whose part of a command has its expected accounts and its rows of no PSP: that of its journal entry. */
const homeOf = (w: Writes): PspId | undefined =>
  w.rows.flatMap(([name, row]) => (name === 'journal' ? [row.psp_id] : []))[0] ?? (w.refsHeld ?? w.refsNew)?.[0]?.psp;

function partsOf(writes: readonly Writes[], ofOnePsp: ReadonlySet<string>): Writes[][] {
  const homes = writes.map(homeOf);
  const ofRow = ([name, row]: Writes['rows'][number], home: PspId | undefined) =>
    ofOnePsp.has(name) ? ((row as RowValues).psp_id as PspId) : home;
  const psps = new Set(
    writes.flatMap((w, i) => [
      ...[w.erasures, w.subjects, w.refsHeld, w.refsNew].flatMap((named) => (named ?? []).map((x) => x.psp)),
      ...w.rows.map((r) => ofRow(r, homes[i])),
    ]),
  );
  return [...psps].sort().map((psp) =>
    writes.map((w, i) => ({
      accounts: homes[i] === psp ? w.accounts : undefined,
      erasures: w.erasures?.filter((x) => x.psp === psp),
      subjects: w.subjects?.filter((x) => x.psp === psp),
      refsHeld: w.refsHeld?.filter((x) => x.psp === psp),
      refsNew: w.refsNew?.filter((x) => x.psp === psp),
      rows: w.rows.filter((r) => ofRow(r, homes[i]) === psp),
    })),
  );
}

function parameters(
  writes: readonly Writes[],
  rowTypes: RowTypes,
  written: readonly Written[],
  refColumns: Columns,
): (string | Buffer | null)[] {
  const accounts = new Map<
    string,
    { psp_id: string; id: string; version: number; access: number | undefined; cs: number[] }
  >();
  const subjects = new Map<string, Record<string, unknown> & { cs: number[] }>();
  const held = new RowList();
  const fresh = new RowList();
  const rows = new Map<string, RowList>();
  for (const [c, w] of writes.entries()) {
    for (const a of w.accounts ?? []) {
      const key = `${a.id}|${a.version}|${a.access ?? ''}`;
      const known = accounts.get(key);
      if (known) known.cs.push(c);
      else accounts.set(key, { psp_id: a.psp, id: a.id, version: a.version, access: a.access, cs: [c] });
    }
    const add = (key: string, expected: Record<string, unknown>) => {
      const known = subjects.get(key);
      if (known) known.cs.push(c);
      else subjects.set(key, { ...expected, cs: [c] });
    };
    for (const e of w.erasures ?? []) add(`${e.psp}|${e.epoch}|`, { psp_id: e.psp, epoch: e.epoch });
    for (const s of w.subjects ?? []) add(`${s.psp}|${s.subject}`, subjectRow(s));
    for (const r of w.refsHeld ?? []) held.add(c, refRow(r, r.target));
    for (const r of w.refsNew ?? []) fresh.add(c, refRow(r, r.target));
    for (const [table, values] of w.rows) {
      let list = rows.get(table);
      if (!list) rows.set(table, (list = new RowList()));
      list.add(c, values);
    }
  }
  const encode = (
    list: RowList | undefined,
    table: string,
    columns: Columns,
    onRow?: (row: RowValues, bytes: Uint8Array) => void,
  ) => (list && list.rows.length > 0 ? encodeRows(columns, rowTypes.get(table) as number, list.rows, onRow) : null);
  const commandsOf = (list: RowList | undefined) =>
    list && list.rows.length > 0 ? encodeNumbers(list.commands) : null;
  /** Of the rows that have none of their own, in the order of the parameters. */
  const commands: number[] = [];
  /** For each command, digests of its rows; its journal rows, which are encoded last, include them. */
  const digests: RowDigest[][] = writes.map(() => []);
  const encodeWritten = ({ name, table, columns, vouched }: Written) => {
    const list = rows.get(name);
    if (name === 'journal') return encode(list?.vouchedBy(digests), table, columns);
    if (!list || !vouched) return encode(list, table, columns);
    let i = 0;
    return encode(list, table, columns, (row, bytes) =>
      digests[list.commands[i++] as number]?.push({ table, id: row.id as string, digest: digestOfRow(bytes, vouched) }),
    );
  };
  const encodeWithCommands = (w: Written) => {
    const list = rows.get(w.name);
    if (w.ownCommands) return [encodeWritten(w), commandsOf(list)];
    for (const c of list?.commands ?? []) commands.push(c);
    return [encodeWritten(w)];
  };
  const json = (items: unknown[]) => (items.length === 0 ? null : JSON.stringify(items));
  return [
    json([...accounts.values()]),
    json([...subjects.values()]),
    ...[encode(held, 'refs', refColumns), commandsOf(held)],
    ...[encode(fresh, 'refs', refColumns), commandsOf(fresh)],
    ...written.flatMap(encodeWithCommands),
    commands.length === 0 ? null : encodeNumbers(commands),
  ];
}

function vouchedColumns({ vouched, columns }: RecordDefinition): number {
  const names = Object.keys(columns);
  return typeof vouched === 'string' ? names.indexOf(vouched) + 1 : vouched ? names.length : 0;
}

/** In the form store_subjects takes. */
const subjectRow = (s: NewSubjectKey): Record<string, unknown> => ({
  psp_id: s.psp,
  subject: s.subject,
  key_sealed: s.keySealed,
  number_sealed: s.numberSealed ?? null,
  generation: s.generation,
  created_at: s.createdAt,
});

/** The PSPs to whose journals the writes add entries. */
export const journalsOf = (writes: readonly Writes[]): ReadonlySet<string> =>
  new Set(writes.flatMap((w) => w.rows.flatMap(([table, r]) => (table === 'journal' ? [r.psp_id as string] : []))));

/** Rows of one table with the commands they belong to. */
class RowList {
  readonly rows: RowValues[] = [];
  readonly commands: number[] = [];

  add(command: number, row: RowValues): void {
    this.rows.push(row);
    this.commands.push(command);
  }

  /** These journal entries, each with the digests of its command's rows. */
  vouchedBy(digests: readonly (readonly RowDigest[])[]): RowList {
    const list = new RowList();
    for (let from = 0, to = 0; from < this.rows.length; from = to) {
      const command = this.commands[from] as number;
      while (to < this.rows.length && this.commands[to] === command) to++;
      for (const row of vouch(this.rows.slice(from, to), digests[command] ?? [])) list.add(command, row);
    }
    return list;
  }
}

const refRow = (r: RefKey & { revision: number }, target: string | undefined): RowValues => ({
  psp_id: r.psp,
  space: r.space,
  ref: r.ref,
  account_id: r.account,
  target_id: target,
  revision: r.revision,
});

// The whole audit: every PSP's journal against what was sealed, and the recorded rows against what the journal says
// about them.
import { formatKey, type VerifierKey } from '../../../core/audit/note.ts';
import { type SealedEntry, serviceOf } from '../../../core/audit/receipt.ts';
import { accountWire, type IdKind, type PspId, toWire } from '../../../core/ids.ts';
import { unknownSchema } from '../../../entries/read.ts';
import type { Database } from '../../../platform/database.ts';
import { records } from '../../../records/index.ts';
import { compareExchangeRates } from '../../exchange-rates/index.ts';
import { compareRates } from '../../rates/index.ts';
import { compareRiskBook } from '../../risk/index.ts';
import { compareLists } from '../../screening/index.ts';
import { compareCallTaxes } from '../../telecom/index.ts';
import { type Contradiction, compareSums, contradictions, unjournaled } from '../../transactions/index.ts';
import { logKey } from '../audit-key.ts';
import { findAuditKeys, pspsWithTraces, type StoredAuditKey } from '../audit-store.ts';
import type { CheckpointFolder } from '../checkpoint-folder.ts';
import {
  changedRows,
  missingContent,
  type RowFinding,
  rowsWithoutEntry,
  wrongPlayers,
  wrongRefs,
} from '../vouched-rows.ts';
import { auditPsp } from './audit-psp.ts';
import { compareKeys } from './compare-keys.ts';
import type { Finding, PspAudit } from './finding.ts';
import { NotesAhead } from './notes-ahead.ts';

export interface AuditOptions {
  readonly db: Database;
  /** One PSP; if undefined, all with rows in the journal or the seal. */
  readonly psp?: PspId | undefined;
  readonly folders: readonly CheckpointFolder[];
  /** The key as noted when it was generated: the database's own must equal it. */
  readonly pinned?: VerifierKey | undefined;
  progress?(psp: PspId, entries: number, of: number): void;
}

/** @yields the findings of each PSP once it is complete */
export async function* audit(o: AuditOptions): AsyncGenerator<PspAudit> {
  const { db } = o;
  const stored = await findAuditKeys(db);
  const unsound = await compareKeys(db, stored);
  const outside = (await Promise.all(o.folders.map((f) => f.psps()))).flat();
  const psps = o.psp === undefined ? new Set([...(await pspsWithTraces(db)), ...outside]) : [o.psp];
  for (const psp of psps) {
    const keys = stored.map((k) => logKey(k, psp));
    const pinned = o.pinned && pinnedFor(o.pinned, psp);
    // Where the noted key stands among them; below 0 nothing that the others signed is believed.
    const at = pinned ? keys.findIndex((k) => formatKey(k) === formatKey(pinned)) : 0;
    const result = await auditPsp({
      db,
      psp,
      keys: pinned && at < 0 ? [pinned] : keys,
      outside: new NotesAhead(o.folders.map((f) => f.read(psp))),
      also: async (entries) => {
        const [known, unknown] = [[] as SealedEntry[], [] as SealedEntry[]];
        for (const e of entries) (unknownSchema(e.body) === undefined ? known : unknown).push(e);
        const changed = found(psp, await contradictions(db, psp, known), await changedRows(db, psp, known));
        return [...unknown.map((e) => unreadable(psp, e)), ...changed];
      },
      progress: (entries, of) => o.progress?.(psp, entries, of),
    });
    const others = found(psp, await unjournaled(db, psp), [
      ...(await rowsWithoutEntry(db, psp)),
      ...(await wrongPlayers(db, psp)),
      ...(await missingContent(db, psp)),
      ...(await compareRates(db, psp)),
      ...(await compareExchangeRates(db, psp)),
      ...(await compareLists(db, psp)),
      ...(await compareSums(db, psp)),
      ...(await compareRiskBook(db, psp)),
      ...(await compareCallTaxes(db, psp)),
    ]);
    // A record that was put in or is gone is named once.
    const named = [...result.findings, ...others].map((f) => f.message).join();
    const refs = (await wrongRefs(db, psp)).filter((r) => !named.includes(subjectOf(r.table, psp, r.id)));
    const replaced = [
      ...unsound,
      ...(pinned && at < 0
        ? [notHandedOut(pinned, keys[0])]
        : stored
            .slice(0, at)
            .filter((k) => k.bothUntil === null)
            .map(leakedBefore)),
    ].map((message): Finding => ({ code: 'KEY_UNKNOWN', psp, message }));
    yield { ...result, findings: [...replaced, ...result.findings, ...others, ...found(psp, [], refs)] };
  }
}

const unreadable = (psp: PspId, { seq, body }: SealedEntry): Finding => ({
  code: 'ENTRY_UNKNOWN',
  psp,
  seq,
  message: `entry ${seq} is of the schema ${unknownSchema(body)}, which this version of the service does not know: verify with the version that wrote it`,
});

/** The noted key must be the one that the service hands out, even before anything is signed with it, or one before it. */
function notHandedOut(noted: VerifierKey, newest: VerifierKey | undefined): string {
  const said = newest === undefined ? 'no key' : `the key ${formatKey(newest)}`;
  return `the database hands out ${said}, not the one that was noted: ${formatKey(noted)}. It was replaced, or the noted one is of another service`;
}

const leakedBefore = ({ createdAt }: StoredAuditKey): string =>
  `a key from before the change of ${createdAt} was noted, which was made because the key had leaked: note the new one where you trust it`;

/** One key pair signs all logs, each under its own name. */
function pinnedFor(pinned: VerifierKey, psp: PspId): VerifierKey {
  return logKey({ name: serviceOf(pinned.name), publicKey: pinned.publicKey }, psp);
}

/** Findings about transactions, which are compared by column, and about other rows. */
function found(psp: PspId, told: readonly Contradiction[], rows: readonly RowFinding[]): Finding[] {
  const explained = new Set(told.map((c) => `${c.seq}|${c.id}`));
  return [
    ...told.map((c) => ({ ...c, table: 'transactions' })),
    ...rows.filter((r) => !explained.has(`${r.seq}|${r.id}`)),
  ].map(({ table, seq, id, what }) => ({
    code: 'RECORD_CHANGED',
    psp,
    ...(seq === undefined ? {} : { seq }),
    message: `${subjectOf(table, psp, id)}${seq === undefined ? '' : ` at entry ${seq}`}: ${what}`,
  }));
}

/** The kind of id of each table's rows, and the word people use for them if it differs. */
const kinds = new Map<string, IdKind>(
  records.flatMap((r) => ('resource' in r && r.resource ? [[r.table, r.resource]] : [])),
);
const nouns: Readonly<Partial<Record<IdKind, string>>> = {
  cdr: 'call detail record',
  sftpLogin: 'SFTP login',
  adjustment: 'adjusting entry',
  caseItem: 'item of a case',
};

function subjectOf(table: string, psp: PspId, id: string): string {
  if (table === 'fee_rules') return `the fee ${id}`;
  if (table === 'crypto_assets') return `the crypto asset ${id}`;
  if (table === 'tax_countries') return `the tax rules of ${id}`;
  if (table === 'list_loads') return `the list load ${toWire('listLoad', id)}`;
  if (table === 'risk_rules') return `the risk rule ${id}`;
  if (table === 'risk_policies') return `the risk policy ${id} of ${toWire('psp', psp)}`;
  if (table === 'webhook_events') return `the event ${toWire('event', id)}`;
  if (table === 'cdr_analyses') return `the call detail record ${toWire('cdr', id)}`;
  if (table === 'exchange_rates') return `the exchange rates of load ${toWire('exchangeLoad', id)}`;
  const kind = kinds.get(table);
  if (kind === undefined) return `the account ${accountWire(psp, id)}`;
  const noun = nouns[kind] ?? kind;
  return id === '' ? `${noun}s` : `the ${noun} ${toWire(kind, id)}`;
}

// Keeps calls honest about months in the archive: a range that reaches into it is refused, the last page of a list says
// where it ends, and what is not found but may be in the archive is answered as archived. Decides nothing else.
import { fromWire, type IdKind, idPrefixes } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import { archived, archivedBefore, expectPeriodLive, firstIdOf, isBefore } from '../../modules/kernel/archived.ts';
import type { Call, Needs, Operation, Reply } from '../../modules/kernel/operation.ts';

/** Operations that read a range of records, each with the fields that begin it. */
export const ranges: Readonly<Record<string, readonly string[]>> = {
  listTransactions: ['from', 'dayFrom'],
  listWagers: ['dayFrom'],
  listAuthorityRecords: ['dayFrom'],
  listAuthoritySample: ['dayFrom'],
  listPayouts: ['dayFrom'],
  listCdrs: ['from', 'callFrom'],
  listCdrAnalyses: ['period', 'callPeriod'],
  listAuthorityCalls: ['period'],
  listJournal: ['from'],
  replayWebhook: ['since'],
  correctRates: ['from'],
  riskReplay: ['from'],
};
/** Lists of records without a range, or with one that is not given. */
const lists = new Set([
  'listTransactions',
  'listAuthorityRecords',
  'listWagers',
  'listPayouts',
  'listCdrs',
  'listCdrAnalyses',
  'listAuthorityCalls',
  'listJournal',
  'listOutstandingChargebacks',
  'findRecords',
  'listPersonRecords',
]);
/** Not lists, but what is in the archive is missing in them too. */
const incomplete = new Set(['findSubject', 'listAuthoritySample', 'searchAll']);
/** What these return of a record comes from several months: without the archived ones it would be incomplete. */
const wholes = new Set(['getReceipt', 'getAuthorityReceipt', 'getTransactionHistory']);

/** Names of fields and path parameters that name a record, by its id or by the caller's ref. */
const namesRecord = /(^r|R)ef$|^(transaction|basket|wager|payout|chargeback|cdr|record)Id$/;

/** Whether an operation may answer ARCHIVED: it reads a range of records, or names one. */
export const mayBeArchived = ({ id, path, query, body, access }: Operation): boolean =>
  access === undefined &&
  (ranges[id] !== undefined ||
    wholes.has(id) ||
    [...path.matchAll(/:(\w+)/g)].some(([, name]) => namesRecord.test(name as string)) ||
    [query, body].some((o) => Object.keys(o?.properties ?? {}).some((name) => namesRecord.test(name))));

/** The call of an operation. @returns a function that throws ARCHIVED besides what the operation throws */
export const withMonths =
  <N>(s: Needs<'db'>, operation: Operation<N>, call: Call, may: N) =>
  async (): Promise<Reply> => {
    const { id } = operation;
    if (ranges[id] || wholes.has(id)) await expectLive(s, id, call);
    const reply = await operation.handle(call, may).catch(async (e: unknown) => {
      throw (await instead(s, call, e)) ?? e;
    });
    const isEnd = lists.has(id) && (reply.content as { nextCursor?: unknown } | null)?.nextCursor === null;
    if (!isEnd && !incomplete.has(id)) return reply;
    // Read after the records, so that no month was taken out between.
    const before = await archivedBefore(s.db);
    return before === undefined
      ? reply
      : { ...reply, content: { ...(reply.content as object), archivedBefore: before } };
  };

/** @throws ARCHIVED */
async function expectLive(s: Needs<'db'>, id: string, call: Call): Promise<void> {
  const fields = { ...(call.query as object), ...(call.body as object | undefined) } as Record<string, unknown>;
  await expectPeriodLive(
    s.db,
    (ranges[id] ?? []).map((name) => fields[name]),
  );
  const ids = wholes.has(id) ? idsIn(call.params) : [];
  const before = ids.length === 0 ? undefined : await archivedBefore(s.db);
  if (before !== undefined && ids.some((i) => isBefore(i, before))) throw archived(before, 'the record');
}

/** The refusal of a record that is not found because its month is in the archive. */
async function instead(s: Needs<'db'>, call: Call, e: unknown): Promise<Refusal | undefined> {
  const missing = e instanceof Refusal && e.code === 'NOT_FOUND';
  // The database refused a row of an archived month: it was archived while this was decided.
  const late = (e as { code?: string }).code === '23A10';
  const before = missing || late ? await archivedBefore(s.db) : undefined;
  if (before === undefined) return undefined;
  if (late) return archived(before, 'the record');
  const given = [call.params, call.query, call.body].flatMap(textsIn);
  if (idsIn(given).some((id) => isBefore(id, before)))
    return archived(before, 'an id in the call, if it is of a record,');
  const { psp, kind, account } = call.principal;
  const [held] = await s.db.query<{ ref: string }>(
    `SELECT ref FROM refs WHERE psp_id = $1 AND space = ANY ('{transaction,wager,payout,cdr,basket}') AND ref = ANY ($2)
       AND ($3::uuid IS NULL OR account_id = $3) AND target_id < ${firstIdOf('$4')} LIMIT 1`,
    [psp, given.filter((t) => t.length <= 200), kind === 'client' ? account : null, before],
  );
  return held && archived(before, `the record with the ref '${held.ref}'`);
}

const textsIn = (value: unknown): string[] =>
  Object.values((value ?? {}) as Record<string, unknown>).filter((v) => typeof v === 'string');

const kinds = (Object.keys(idPrefixes) as IdKind[]).filter((k) =>
  ['transaction', 'basket', 'wager', 'payout', 'chargeback', 'cdr'].includes(k),
);

const idsIn = (values: readonly string[] | Readonly<Record<string, string>>): string[] =>
  Object.values(values).flatMap((v) => kinds.map((k) => fromWire(k, v)).filter((id) => id !== undefined));

// Reads journal entries as records that rules look at. What an entry does not say of its record (keyed hashes of a wallet
// or number, earlier revisions, the person of a payout's wager) is read with one query per kind.

import { parseExactly } from '../../core/entry.ts';
import { fromWire, nobody, type PspId } from '../../core/ids.ts';
import type { SeenEvent } from '../../core/risk/replay.ts';
import type { RiskEvent, RiskOperation } from '../../core/risk/rule.ts';
import { type CountedBefore, countedAs } from '../../core/risk/watch.ts';
import { chainHashText } from '../../core/wallets/chain-hash.ts';
import { readData } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import {
  type EarlierRevision,
  type Parties,
  partiesOf,
  payoutsToOthers,
  type RecordPlace,
  revisionsBefore,
} from './event-store.ts';

const transactions = ['transaction.created/1', 'transaction.updated/1'] as const;

/** An entry of another kind is left out. @throws UnknownEntry */
export async function readEvents(db: Database, entries: readonly JournalEntry[]): Promise<SeenEvent[]> {
  const read = entries.flatMap((e) => readOne(e) ?? []);
  const places = (is: (r: Read) => boolean): RecordPlace[] =>
    read.filter(is).map(({ event: e }) => ({ psp: e.psp, id: e.record }));
  const [parties, revisions, others] = [
    await partiesOf(
      db,
      places((r) => r.personal && r.event.operation !== 'withdrawal'),
      places((r) => r.event.operation === 'withdrawal'),
    ),
    await revisionsBefore(
      db,
      places((r) => r.event.revision > 1),
    ),
    await payoutsToOthers(
      db,
      read.flatMap((r) => (r.wager ? { ...r.wager, payout: r.event.record } : [])),
    ),
  ];
  return read.map((r) => complete(r, parties, revisions, others));
}

interface Read {
  readonly event: RiskEvent;
  readonly personal: boolean;
  readonly chargedBackNow: boolean;
  /** Of a payout. */
  readonly wager?: RecordPlace;
}

const nameOf = (psp: PspId, id: string) => `${psp} ${id}`;

function complete(
  { event, chargedBackNow }: Read,
  parties: ReadonlyMap<string, Parties>,
  revisions: ReadonlyMap<string, readonly EarlierRevision[]>,
  others: ReadonlySet<string>,
): SeenEvent {
  const name = nameOf(event.psp, event.record);
  const [more, isOther] = [parties.get(name), others.has(name)];
  const earlier =
    event.revision > 1 && !chargedBackNow
      ? (revisions.get(name) ?? [])
          .filter((r) => r.revision < event.revision && r.status === event.status)
          .sort((a, b) => a.revision - b.revision)
      : [];
  return {
    // Most entries say all there is: a replay copies none of a million of these.
    event: more || isOther ? { ...event, keys: { ...event.keys, ...more }, samePerson: !isOther } : event,
    counted: countedAs(event, chargedBackNow),
    before: countedBefore(earlier),
  };
}

/** It was counted at the time of the first, with the amount of the last. @param earlier revisions of the same status */
function countedBefore(earlier: readonly EarlierRevision[]): CountedBefore | undefined {
  const [first, last] = [earlier[0], earlier.at(-1)];
  return first && last && { at: Date.parse(first.at), amount: last.amount, currency: last.currency };
}

function readOne(e: JournalEntry): Read | undefined {
  switch (e.kind) {
    case 'transaction.created':
    case 'transaction.updated':
      return readTransaction(e);
    case 'wager.created':
    case 'payout.created':
      return readPlay(e);
    default:
      return undefined;
  }
}

const common = (e: JournalEntry, timestamp: string) => ({
  psp: e.psp,
  account: e.account,
  record: e.resource,
  at: Date.parse(timestamp),
  samePerson: true,
});

function readTransaction(e: JournalEntry): Read {
  const { data, timestamp, subject } = readData(e.body, transactions);
  const chainHash = data.blochainHash && chainHashText(data.blochainHash);
  return {
    event: {
      ...common(e, timestamp),
      operation: data.type,
      status: data.status,
      amount: exact(e.body, 'totalAmount', data.totalAmount),
      tax: exact(e.body, 'vatAmount', data.vatAmount),
      currency: data.currency,
      country: data.countryCode,
      revision: data.revision,
      chargedBack: data.chargeback !== null && data.chargeback.reversedAt === undefined,
      observations: data.observations,
      mcc: data.mcc ?? '',
      methods: Object.keys(data.paymentMethods ?? {}),
      productLine: '',
      keys: { client: e.account, customer: subject, ...(chainHash ? { chainHash } : {}) },
      person: subject,
    },
    personal: subject !== undefined,
    chargedBackNow: data.chargeback?.at === data.updatedAt,
  };
}

function readPlay(e: JournalEntry): Read {
  const wager = e.kind === 'wager.created' ? readData(e.body, ['wager.created/1']) : undefined;
  const payout = wager ? undefined : readData(e.body, ['payout.created/1']);
  const { data, timestamp, subject } = wager ?? (payout as NonNullable<typeof payout>);
  return {
    event: {
      ...common(e, timestamp),
      operation: (wager ? 'captureWager' : 'capturePayout') satisfies RiskOperation,
      status: 'APPROVED',
      amount: exact(e.body, 'amount', data.amount),
      tax: '0',
      currency: data.currency,
      country: data.countryCode,
      revision: 1,
      chargedBack: false,
      observations: data.observations,
      mcc: '',
      methods: [],
      productLine: wager?.data.type ?? '',
      keys: { client: e.account, customer: subject, ...(wager ? { network: wager.data.ipNetwork } : {}) },
      person: subject,
    },
    personal: subject !== undefined,
    chargedBackNow: false,
    ...(payout ? { wager: { psp: e.psp, id: fromWire('wager', payout.data.wagerId) ?? nobody } } : {}),
  };
}

/** The text of an amount: what was parsed to a double where that has it exactly, else read from the entry digit by digit. */
function exact(body: string, name: 'totalAmount' | 'vatAmount' | 'amount', parsed: number): string {
  const text = String(parsed);
  if (text.length <= 15 && /^\d+(\.\d+)?$/.test(text)) return text;
  const { data } = parseExactly(body) as { data: Readonly<Record<string, { rawJSON: string }>> };
  return (data[name] as { rawJSON: string }).rawJSON;
}

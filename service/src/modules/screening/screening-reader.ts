// The journal reader that screens clients and their owners when they are registered or changed, and the customers and wallets of payments,
// after the commit: no decision waits for it. What it finds is recorded in the commit of its cursor.
import { isoTime } from '../../core/calendar.ts';
import { type AccountId, accountFromWire, type PspId, type TransactionId } from '../../core/ids.ts';
import { readEntry } from '../../entries/read.ts';
import type { Database, Pool } from '../../platform/database.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { openPersonal, type SubjectKey } from '../kernel/subjects.ts';
import { openOwners } from '../verification/index.ts';
import type { HasLists } from './lists.ts';
import { isPersonal, nameIn, personalPlaces } from './paid-by.ts';
import { recordMatches, type Screened } from './record-matches.ts';
import { screenedClient, screenedCustomer, screenedOwners, screenedWallet } from './screened.ts';

export const screeningReader = 'screening';

type ReaderNeeds = Needs<'clock' | 'ids' | 'log' | 'committer' | 'vault' | 'subjects'> & HasLists;

const clients = ['client.created/1', 'client.updated/1'] as const;
const payments = ['transaction.created/1', 'wager.created/1', 'payout.created/1'] as const;
const kinds = [...clients, ...payments].map((schema) => schema.split('/')[0] as string);

/** Of a record's kind: where its personal data is sealed. */
const rows: Readonly<Record<string, (id: string) => string>> = {
  'transaction.created': personalPlaces.transaction,
  'wager.created': personalPlaces.wager,
  'payout.created': personalPlaces.payout,
};

/** @returns nothing for what is no client: a PSP is not screened against the lists that it sees itself */
function ofClient(s: ReaderNeeds, { psp, account, body }: JournalEntry): Screened[] {
  const { clientId, registeredName, countryCode } = readEntry(body, clients).data;
  if (!clientId.startsWith('cli_') || accountFromWire(clientId) !== account) return [];
  return [screenedClient(s.lists, { psp, account, name: registeredName, country: countryCode })];
}

/** The owners of clients that were set, as they were set last, with the client's person. */
function ownersSet(entries: readonly JournalEntry[]) {
  const last = new Map<string, { psp: PspId; account: AccountId; subject: string; sealed: string }>();
  for (const { kind, body, psp, account } of entries) {
    if (kind !== 'client.updated' || !body.includes('"sealed":"')) continue;
    const { sealed, subject, evidence } = readEntry(body, ['client.updated/1']);
    if (sealed !== undefined && subject !== undefined && evidence?.changed?.includes('owners'))
      last.set(account, { psp, account, subject, sealed });
  }
  return [...last.values()];
}

function ofPayment(s: ReaderNeeds, e: JournalEntry, key: SubjectKey | undefined, sealed: string): Screened[] {
  const place = rows[e.kind];
  const data = place && openPersonal(key, sealed, place(e.resource));
  if (!key || !isPersonal(data)) return [];
  const transaction: TransactionId | null = e.kind === 'transaction.created' ? e.resource : null;
  const payer = { psp: e.psp, account: e.account, transaction, person: key };
  const screened: Screened[] = [];
  const name = nameIn(data);
  if (name !== undefined) screened.push(screenedCustomer(s.lists, payer, name));
  for (const address of [data.toAddress, data.fromAddress])
    if (typeof address === 'string') screened.push(screenedWallet(s, s.lists, payer, address));
  return screened;
}

async function keysOf(s: ReaderNeeds, tx: Database, psp: PspId, subjects: readonly string[]) {
  const ids = [...new Set(subjects)].map((subject) => ({ psp, subject }));
  return ids.length === 0 ? new Map<string, SubjectKey>() : s.subjects.load(tx, ids);
}

export const makeScreeningReader = (s: ReaderNeeds, pool: Pick<Pool, 'query' | 'transaction'>): JournalReader =>
  new JournalReader({
    name: screeningReader,
    pool,
    log: s.log,
    kinds,
    limit: 500,
    gapMs: 100,
    clock: s.clock,
    async readAll(tx, journals) {
      await s.lists.refresh();
      await s.lists.readNames();
      // Without lists nothing is opened: a first start beside a long journal reads it quickly.
      if (s.lists.seq > 0) for (const { psp, entries } of journals) await screen(s, tx, psp, entries);
    },
  });

async function screen(s: ReaderNeeds, tx: Database, psp: PspId, entries: readonly JournalEntry[]): Promise<void> {
  const screened: Screened[] = [];
  const sealed = entries.flatMap((e) => {
    if (!(e.kind in rows) || !e.body.includes('"sealed":"')) return [];
    const { sealed: text, subject } = readEntry(e.body, payments);
    return text !== undefined && subject !== undefined ? [{ e, text, subject }] : [];
  });
  const owners = ownersSet(entries);
  const keys = await keysOf(
    s,
    tx,
    psp,
    [...sealed, ...owners].map((p) => p.subject),
  );
  for (const e of entries) if (!(e.kind in rows)) screened.push(...ofClient(s, e));
  for (const { e, text, subject } of sealed)
    screened.push(...ofPayment(s, e, keys.get(s.subjects.text({ psp, subject })), text));
  const opened = owners.flatMap((o) => openOwners(keys.get(s.subjects.text(o)), o, o.sealed) ?? []);
  for (const of of opened) screened.push(...screenedOwners(s, s.lists, of));
  await recordMatches(tx, s, screened, isoTime(s.clock()), { wholes: opened });
}

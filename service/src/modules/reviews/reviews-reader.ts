// The journal reader that opens reviews. Few entries match a rule; which may do so is seen in their text, so that the
// others are not parsed.
import { isoTime } from '../../core/calendar.ts';
import { parseExactly } from '../../core/entry.ts';
import { largeAmounts, watchedObservations, worthReview } from '../../core/risk/rules.ts';
import { type Parse, readEntry } from '../../entries/read.ts';
import type { Pool } from '../../platform/database.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Alert, openAlerts } from './opened-alert.ts';

export const reviewsReader = 'reviews';

const read = ['transaction.created/1', 'transaction.updated/1'] as const;
/** Entries of version 0.1 begin with their id. All others are read, and those with another schema are set aside. */
const known = new RegExp(`^\\{(?:"id":"|"schema":"(?:${read.join('|')})",)`);
/** Observations are written by JSON.stringify, so a code has only one form in the text. */
const watched = new RegExp(`"code":"(?:${watchedObservations.join('|')})"`);

/** Whether a rule may match the entry, from its text: parsing each would cost more than all else here. */
const mayBeWorth = (body: string): boolean => !known.test(body) || watched.test(body) || mayBeLarge(body);

function mayBeLarge(body: string): boolean {
  let least = Number.POSITIVE_INFINITY;
  for (const [, code = ''] of body.matchAll(/"currency":"([^"]*)"/g))
    if (Object.hasOwn(largeAmounts, code)) least = Math.min(least, Number(largeAmounts[code]));
  // A double is never below a whole number that the exact amount reaches.
  for (const [, amount] of body.matchAll(/"totalAmount":([-+.\deE]+)/g)) if (Number(amount) >= least) return true;
  return false;
}

/** Numbers keep their text. */
const parse: Parse<RawNumber> = parseExactly;
interface RawNumber {
  readonly rawJSON: string;
}

export function makeReviewsReader(
  services: Needs<'clock' | 'ids' | 'log' | 'committer'>,
  pool: Pick<Pool, 'query' | 'transaction'>,
): JournalReader {
  return new JournalReader({
    name: reviewsReader,
    pool,
    log: services.log,
    kinds: ['transaction.created', 'transaction.updated'],
    limit: 2000,
    gapMs: 100,
    clock: services.clock,
    async readAll(tx, journals) {
      const found: Alert[] = [];
      for (const { entries } of journals) for (const e of entries) if (mayBeWorth(e.body)) found.push(...alertsOf(e));
      await openAlerts(tx, services, found, isoTime(services.clock()));
    },
  });
}

function alertsOf({ psp, account, resource, body }: JournalEntry): Alert[] {
  const { status, totalAmount, currency, observations } = readEntry(body, read, parse).data;
  return worthReview({ status, amount: totalAmount.rawJSON, currency, observations }).map(({ rule, findings }) => ({
    psp,
    account,
    transaction: resource,
    rule: rule.id,
    reason: rule.reason,
    findings,
  }));
}

// The journal reader that opens reviews. Few entries match a rule; which may do so is seen in their text, so that the
// others are not parsed.
import { isoTime } from '../../core/calendar.ts';
import { parseExactly } from '../../core/entry.ts';
import { openedByRule, type Review } from '../../core/risk/review.ts';
import { largeAmounts, watchedObservations, worthReview } from '../../core/risk/rules.ts';
import { type Parse, readEntry } from '../../entries/read.ts';
import type { Pool } from '../../platform/database.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { openReviews } from './review-store.ts';

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
      const found: Review[] = [];
      for (const { entries } of journals)
        for (const e of entries) if (mayBeWorth(e.body)) found.push(...reviewsOf(services, e));
      await openReviews(tx, services, found);
    },
  });
}

function reviewsOf(s: Needs<'clock' | 'ids'>, { psp, account, resource, body }: JournalEntry): Review[] {
  const at = isoTime(s.clock());
  const { status, totalAmount, currency, observations } = readEntry(body, read, parse).data;
  return worthReview({ status, amount: totalAmount.rawJSON, currency, observations }).map(
    ({ rule, findings }): Review => ({
      psp,
      id: s.ids.next(),
      account,
      transaction: resource,
      rule: rule.id,
      reason: rule.reason,
      findings,
      state: 'OPEN',
      assignee: null,
      outcome: null,
      notes: [],
      openedBy: openedByRule,
      version: 1,
      createdAt: at,
      updatedAt: at,
    }),
  );
}

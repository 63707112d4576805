// The journal reader that opens reviews. It runs about once a second, and the database selects the few entries that a
// rule may match, so that the others are neither transferred nor read.
import { isoTime } from '../../core/calendar.ts';
import { parseExactly } from '../../core/entry.ts';
import type { PspId } from '../../core/ids.ts';
import { openedByRule, type Review } from '../../core/risk/review.ts';
import { largeAmounts, watchedObservations, worthReview } from '../../core/risk/rules.ts';
import { type Parse, readEntry, unknownSql } from '../../entries/read.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { openReviews } from './review-store.ts';

export const reviewsReader = 'reviews';

const large = Object.entries(largeAmounts)
  .map(([currency, amount]) => `WHEN '${currency}' THEN ${amount}`)
  .join(' ');
/** Observations are text written by JSON.stringify, so a code has only one form in it. */
const anyOf = (codes: readonly string[]) =>
  codes.map((code) => `strpos(t.observations, '"code":"${code}"') > 0`).join(' OR ');
const read = ['transaction.created/1', 'transaction.updated/1'] as const;
/** Entries with other schemas are not filtered but passed on; reading them fails, and the reader sets them aside. */
const unknown = unknownSql('j.body', read);
/**
 * A transaction with one revision equals its entry, so its columns decide; if there are several, all its entries are
 * read, including those that undid an earlier one. By key, however many transactions there are.
 */
const candidates = `SELECT j.account_id AS account, j.resource_id AS transaction, j.body FROM journal j
  LEFT JOIN LATERAL (
    SELECT revision, status, amount, currency, observations FROM transactions
    WHERE psp_id = j.psp_id AND id = j.resource_id LIMIT 1
  ) t ON true
  WHERE j.psp_id = $1 AND j.seq > $2 AND j.seq <= $3 AND j.kind IN ('transaction.created', 'transaction.updated')
    AND (t.revision IS DISTINCT FROM 1 OR ${unknown} OR t.status = 'APPROVED'
      AND (t.amount >= CASE t.currency ${large} END OR t.observations <> '[]' AND (${anyOf(watchedObservations)})))
  ORDER BY j.seq`;

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
    // Reviews are rare: their reader waits for its interval, however many commits there are.
    patient: true,
    limit: 2000,
    async stretch(tx, psp, from, to) {
      await openReviews(tx, services, await worth(services, tx, psp, from, to));
      return to;
    },
  });
}

async function worth(s: Needs<'clock' | 'ids'>, tx: Database, psp: PspId, from: number, to: number): Promise<Review[]> {
  const at = isoTime(s.clock());
  const rows = await tx.query<{ account: string; transaction: string; body: string }>(candidates, [psp, from, to]);
  return rows.flatMap(({ account, transaction, body }) => {
    const { status, totalAmount, currency, observations } = readEntry(body, read, parse).data;
    return worthReview({ status, amount: totalAmount.rawJSON, currency, observations }).map(
      ({ rule, findings }): Review => ({
        psp,
        id: s.ids.next(),
        account,
        transaction,
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
  });
}

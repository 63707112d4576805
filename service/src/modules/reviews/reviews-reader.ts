// The journal's reader that opens reviews. It looks about once a second, and the database picks the few entries that a
// rule may be about, so that the many others are neither sent nor read here.
import { isoTime } from '../../core/calendar.ts';
import { openedByRule, type Review } from '../../core/risk/review.ts';
import { largeAmounts, undoingObservations, watchedObservations, worthReview } from '../../core/risk/rules.ts';
import { readEntry, unknownSql } from '../../entries/read.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { openReviews } from './review-store.ts';

export const reviewsReader = 'reviews';

const large = Object.entries(largeAmounts)
  .map(([currency, amount]) => `('${currency}', ${amount})`)
  .join(', ');
/** Texts of an entry stand there in one form only, for it is written by JSON.stringify. */
const anyOf = (codes: readonly string[]) => codes.map((code) => `strpos(body, '"code":"${code}"') > 0`).join(' OR ');
const noticed = anyOf(watchedObservations);
const read = ['transaction.created/1', 'transaction.updated/1'] as const;
/** Entries of other schemas are not picked, but handed over, and cannot be read: the reader sets them aside. */
const unknown = unknownSql('body', read);
const candidates = `SELECT e.account_id, e.resource_id, e.amount, e.currency, e.body FROM (
    SELECT seq, account_id, resource_id, body, split_part(split_part(body, '"currency":"', 2), '"', 1) AS currency,
      CASE WHEN NOT (${unknown}) THEN split_part(split_part(body, '"totalAmount":', 2), ',', 1) END AS amount
    FROM journal WHERE psp_id = $1 AND seq > $2 AND seq <= $3 AND kind IN ('transaction.created', 'transaction.updated')
      AND (strpos(body, '"status":"APPROVED"') > 0 OR ${anyOf(undoingObservations)} OR ${unknown})
  ) e LEFT JOIN (VALUES ${large}) AS l(currency, amount) ON l.currency = e.currency
  WHERE e.amount IS NULL OR e.amount::numeric >= l.amount OR strpos(e.body, '"observations":[]') = 0 AND (${noticed})
  ORDER BY e.seq`;

export function makeReviewsReader(
  services: Needs<'clock' | 'ids' | 'log' | 'committer'>,
  pool: Pick<Pool, 'query' | 'transaction'>,
): JournalReader {
  return new JournalReader({
    name: reviewsReader,
    pool,
    log: services.log,
    // Reviews are few: their reader waits for the net, however many commits there are.
    patient: true,
    limit: 2000,
    async stretch(tx, psp, from, to) {
      await openReviews(tx, services, await worth(services, tx, psp, from, to));
      return to;
    },
  });
}

interface Candidate {
  readonly account_id: string;
  readonly resource_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly body: string;
}

async function worth(
  s: Needs<'clock' | 'ids'>,
  tx: Database,
  psp: string,
  from: number,
  to: number,
): Promise<Review[]> {
  const at = isoTime(s.clock());
  return (await tx.query<Candidate>(candidates, [psp, from, to])).flatMap(({ body, amount, currency, ...r }) => {
    const { data } = readEntry(body, read);
    const looked = { status: data.status, amount, currency, observations: data.observations };
    return worthReview(looked).map(
      ({ rule, findings }): Review => ({
        psp,
        id: s.ids.next(),
        account: r.account_id,
        transaction: r.resource_id,
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

// What adjusting entries change in the taxes of a country, by rule and day: where the recorded taxes of a transaction count,
// the difference counts too. So it is on the day of the transaction, comes off with its chargeback and is given again with
// a reversal; of a transaction that was declined or decided again nothing is left of either.
import type { PspId } from '../../core/ids.ts';
import { lineChanges, type TaxedLine } from '../../core/tax/correction.ts';
import type { Database } from '../../platform/database.ts';
import { allPages } from '../kernel/all-pages.ts';

export interface AdjustedLine extends TaxedLine {
  readonly operation: string;
  readonly currency: string;
  /** Local day on which it counts. */
  readonly day: string;
  /** What happened to the transaction on that day. */
  readonly verdict: 'APPROVED' | 'CHARGED_BACK' | 'REVERSED';
}

export interface AdjustedOf {
  readonly psp: PspId;
  readonly account?: string | undefined;
  readonly country: string;
  /** Of the country's calendar. */
  readonly timeZone: string;
  /** First and last day, both inclusive. */
  readonly first: string;
  readonly last: string;
}

interface Adjusted {
  readonly id: string;
  readonly kind: string;
  readonly currency: string;
  readonly day: string;
  /** JSON: the evidence as recorded. */
  readonly evidence: string;
  readonly after: string;
}

const page = 1000;

/** Where an adjusted transaction counts: the local day, of the transaction, its chargeback and the reversal of that. */
const places = [
  { day: 'a.day', sign: 1, verdict: 'APPROVED' },
  { day: '(c.created_at AT TIME ZONE $4)::date', sign: -1, verdict: 'CHARGED_BACK' },
  { day: '(d.updated_at AT TIME ZONE $4)::date', sign: 1, verdict: 'REVERSED' },
] as const;

/**
 * The last adjustment of each transaction that has the amounts which were adjusted: a chargeback and its reversal are the
 * revisions after it.
 */
const statementOf = ({ day }: (typeof places)[number]): string =>
  `SELECT a.transaction_id AS id, t.kind, a.currency, ${day} AS day, t.evidence, a.tax_after AS after
   FROM adjustments a LEFT JOIN chargebacks c ON c.psp_id = $1 AND c.transaction_id = a.transaction_id
   LEFT JOIN disputes d ON d.psp_id = $1 AND d.chargeback_id = c.id AND d.state = 'WON'
   JOIN transactions t ON t.psp_id = $1 AND t.id = a.transaction_id AND t.status = 'APPROVED'
     AND t.revision = a.revision + (c.id IS NOT NULL)::integer + (d.id IS NOT NULL)::integer
   WHERE a.psp_id = $1 AND ($2::uuid IS NULL OR a.account_id = $2) AND a.country = $3 AND $4::text <> ''
     AND ${day} BETWEEN $5::date AND $6::date
     AND NOT EXISTS (SELECT FROM adjustments l WHERE l.psp_id = $1 AND l.transaction_id = a.transaction_id
       AND l.revision = a.revision AND l.number = a.number + 1)
     AND ($7::uuid IS NULL OR a.transaction_id > $7) ORDER BY a.transaction_id LIMIT ${page}`;

const recordedTax = (evidence: string): readonly TaxedLine[] => (JSON.parse(evidence) as { tax: TaxedLine[] }).tax;
const taxAfter = (text: string): readonly TaxedLine[] => JSON.parse(text);

/** The differences that count on these days. */
export async function adjustedLines(db: Database, of: AdjustedOf): Promise<AdjustedLine[]> {
  const out: AdjustedLine[] = [];
  for (const place of places) {
    const asked = [of.psp, of.account ?? null, of.country, of.timeZone, of.first, of.last];
    const read = (after: string | null) => db.query<Adjusted>(statementOf(place), [...asked, after]);
    for await (const rows of allPages(page, (a) => a.id, read))
      for (const a of rows) {
        const [was, is] = [{ tax: recordedTax(a.evidence) }, { tax: taxAfter(a.after) }];
        for (const change of place.sign === 1 ? lineChanges(was, is) : lineChanges(is, was))
          out.push({ ...change, operation: a.kind, currency: a.currency, day: a.day, verdict: place.verdict });
      }
  }
  return out;
}

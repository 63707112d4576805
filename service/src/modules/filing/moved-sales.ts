// Taxes of sales that were charged back on a day of another return, or whose chargeback was reversed then: the one-stop shop
// corrects the quarter of the sale. Read from tables that keep what is in the archive.
import type { AccountId, PspId } from '../../core/ids.ts';
import { negated } from '../../core/sums.ts';
import type { TaxedLine } from '../../core/tax/correction.ts';
import type { Database } from '../../platform/database.ts';
import { allPages } from '../kernel/all-pages.ts';

export interface MovedSale {
  readonly country: string;
  readonly kind: string;
  readonly currency: string;
  /** Local day of the sale, and that on which it came back or was given again. */
  readonly soldOn: string;
  readonly movedOn: string;
  /** The taxes as they were last, negative if the sale was charged back. */
  readonly tax: readonly TaxedLine[];
}

interface MovedOf {
  readonly psp: PspId;
  readonly account: AccountId;
  /** Countries with their time zones. */
  readonly zones: ReadonlyMap<string, string>;
  /** First and last local day on which the sales came back. */
  readonly first: string;
  readonly last: string;
  /** Whether one return declares both the sales of a country on one day and what came back on another. */
  readonly isTogether: (country: string, soldOn: string, movedOn: string) => boolean;
}

const page = 1000;

/** A chargeback takes the tax off on its day, and the dispute that reverses it gives it back on the day it was won. */
const places = [
  { at: 'c.created_at', from: 'chargebacks c', negative: true },
  {
    at: 'd.updated_at',
    from: "chargebacks c JOIN disputes d ON d.psp_id = c.psp_id AND d.chargeback_id = c.id AND d.state = 'WON'",
    negative: false,
  },
] as const;

/** The taxes of the state before the chargeback, which a revision keeps, as its last adjustment has them. */
const statementOf = ({ at, from }: (typeof places)[number]): string =>
  `SELECT c.id, s.country, s.kind, s.currency, s.evidence, (${at} AT TIME ZONE z.zone)::date AS day, a.tax_after AS after
   FROM ${from} JOIN LATERAL (SELECT country, kind, currency, evidence, revision FROM transaction_revisions r
     WHERE r.psp_id = $1 AND r.id = c.transaction_id AND r.chargeback IS NULL ORDER BY revision DESC LIMIT 1) s ON true
   JOIN unnest($3::text[], $4::text[]) AS z(country, zone) ON z.country = s.country
   LEFT JOIN LATERAL (SELECT tax_after FROM adjustments a WHERE a.psp_id = $1 AND a.transaction_id = c.transaction_id
     AND a.revision = s.revision ORDER BY number DESC LIMIT 1) a ON true
   WHERE c.psp_id = $1 AND c.account_id = $2 AND (${at} AT TIME ZONE z.zone)::date BETWEEN $5::date AND $6::date
     AND ($7::uuid IS NULL OR c.id > $7) ORDER BY c.id LIMIT ${page}`;

interface Row {
  readonly id: string;
  readonly country: string;
  readonly kind: string;
  readonly currency: string;
  readonly evidence: string;
  readonly day: string;
  readonly after: string | null;
}

export async function movedSales(db: Database, of: MovedOf): Promise<MovedSale[]> {
  const out: MovedSale[] = [];
  const asked = [of.psp, of.account, [...of.zones.keys()], [...of.zones.values()], of.first, of.last];
  for (const place of places) {
    const read = (after: string | null) => db.query<Row>(statementOf(place), [...asked, after]);
    for await (const rows of allPages(page, (r) => r.id, read))
      for (const r of rows) {
        const evidence = JSON.parse(r.evidence) as { date: string; tax: TaxedLine[] };
        const [soldOn, movedOn] = [evidence.date, r.day];
        if (of.isTogether(r.country, soldOn, movedOn)) continue;
        const tax = r.after === null ? evidence.tax : (JSON.parse(r.after) as TaxedLine[]);
        const signed = (amount: string) => (place.negative ? negated(amount) : amount);
        out.push({
          country: r.country,
          kind: r.kind,
          currency: r.currency,
          soldOn,
          movedOn,
          tax: tax.map((l) => ({ rule: l.rule, taxable: signed(l.taxable), tax: signed(l.tax) })),
        });
      }
  }
  return out;
}

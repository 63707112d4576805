// Taxes of sales before a day that were charged back from that day on, or whose chargeback was reversed then: the one-stop
// shop corrects the quarter of the sale.
import { setImmediate as pause } from 'node:timers/promises';
import type { AccountId, PspId } from '../../core/ids.ts';
import { negated } from '../../core/sums.ts';
import type { TaxedLine } from '../../core/tax/correction.ts';
import type { Database } from '../../platform/database.ts';

interface EarlierSale {
  /** Local day of the sale. */
  readonly soldOn: string;
  readonly currency: string;
  /** The taxes as they were last, negative if the sale was charged back. */
  readonly tax: readonly TaxedLine[];
}

interface EarlierOf {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly country: string;
  readonly timeZone: string;
  /** First and last local day on which the sales came back. */
  readonly first: string;
  readonly last: string;
}

const page = 1000;

/** A chargeback takes the tax off on its day, and the dispute that reverses it gives it back on the day it was won. */
const places = [
  { day: '(c.created_at AT TIME ZONE $4)::date', from: 'chargebacks c', negative: true },
  {
    day: '(d.updated_at AT TIME ZONE $4)::date',
    from: "chargebacks c JOIN disputes d ON d.psp_id = c.psp_id AND d.chargeback_id = c.id AND d.state = 'WON'",
    negative: false,
  },
] as const;

const statementOf = ({ day, from }: (typeof places)[number]): string =>
  `SELECT t.id, t.currency, t.evidence, a.tax_after AS after
   FROM ${from} JOIN transactions t ON t.psp_id = c.psp_id AND t.id = c.transaction_id
   LEFT JOIN LATERAL (SELECT tax_after FROM adjustments a WHERE a.psp_id = $1 AND a.transaction_id = t.id
     ORDER BY revision DESC, number DESC LIMIT 1) a ON true
   WHERE c.psp_id = $1 AND c.account_id = $2 AND t.country = $3 AND ${day} BETWEEN $5::date AND $6::date
     AND ($7::uuid IS NULL OR t.id > $7) ORDER BY t.id LIMIT ${page}`;

interface Row {
  readonly id: string;
  readonly currency: string;
  readonly evidence: string;
  readonly after: string | null;
}

export async function earlierSales(db: Database, of: EarlierOf): Promise<EarlierSale[]> {
  const out: EarlierSale[] = [];
  for (const place of places)
    for (let after: string | null = null; ; ) {
      const asked = [of.psp, of.account, of.country, of.timeZone, of.first, of.last, after];
      const rows: Row[] = await db.query<Row>(statementOf(place), asked);
      for (const r of rows) {
        const evidence = JSON.parse(r.evidence) as { date: string; tax: TaxedLine[] };
        if (evidence.date >= of.first) continue;
        const tax = r.after === null ? evidence.tax : (JSON.parse(r.after) as TaxedLine[]);
        const signed = (amount: string) => (place.negative ? negated(amount) : amount);
        out.push({
          soldOn: evidence.date,
          currency: r.currency,
          tax: tax.map((l) => ({ rule: l.rule, taxable: signed(l.taxable), tax: signed(l.tax) })),
        });
      }
      if (rows.length < page) break;
      after = rows.at(-1)?.id ?? null;
      await pause();
    }
  return out;
}

// Reads whether the sales of a quarter were goods or services, and from where they were supplied: what the totals, which have the
// amounts of a return, do not keep apart.
import { localDate } from '../../core/calendar.ts';
import { isKnown } from '../../core/filing/goods-or-services.ts';
import { sums } from '../../core/filing/lines.ts';
import type { KindOfSales } from '../../core/filing/one-stop-shop.ts';
import { groupedBy } from '../../core/grouped.ts';
import type { AccountId, PspId } from '../../core/ids.ts';
import type { TaxedLine } from '../../core/tax/correction.ts';
import type { Chargeback, Evidence } from '../../core/transaction.ts';
import { loadSupplyKinds } from '../../platform/data-files.ts';
import type { Database } from '../../platform/database.ts';
import { allPages } from '../kernel/all-pages.ts';
import { madeOrRedated } from '../kernel/made-or-redated.ts';
import { widely } from '../kernel/report-period.ts';
import type { TaxDetails } from '../kernel/tax-details.ts';

export interface KindsOf {
  readonly psp: PspId;
  readonly account: AccountId;
  /** Countries with their time zones. */
  readonly zones: ReadonlyMap<string, string>;
  /** First and last local day of the sales. */
  readonly first: string;
  readonly last: string;
  /** Whether the return has what was sold to a country on a day. */
  readonly isOwn: (country: string, day: string) => boolean;
}

interface Row {
  readonly id: string;
  readonly country: string;
  readonly currency: string;
  readonly day: string;
  readonly revision: number;
  readonly request: string;
  readonly evidence: string;
  readonly chargeback: string | null;
  readonly adjusted: number | null;
  readonly after: string | null;
}

const page = 1000;

/**
 * Approved sales of the days, with the taxes as they were last adjusted. A sale is made on about its day, unless it was decided
 * again later.
 */
const statement = (made: string): string =>
  `SELECT t.id, t.country, t.currency, t.decided_on AS day, t.revision, t.request, t.evidence, t.chargeback,
     a.revision AS adjusted, a.tax_after AS after
   FROM transactions t LEFT JOIN LATERAL (SELECT x.revision, x.tax_after FROM adjustments x
     WHERE x.psp_id = $1 AND x.transaction_id = t.id ORDER BY x.revision DESC, x.number DESC LIMIT 1) a ON true
   WHERE t.psp_id = $1 AND t.account_id = $2 AND t.country = ANY ($3) AND t.status = 'APPROVED'
     AND t.decided_on BETWEEN $4::date AND $5::date AND ${made} AND ($8::uuid IS NULL OR t.id > $8)
   ORDER BY t.id LIMIT ${page}`;

interface Request {
  readonly mcc?: unknown;
  readonly taxDetails?: Pick<TaxDetails, 'category' | 'kind' | 'suppliedFrom'>;
}

/** Whether the tax of a sale was given back by the last day of the return. A chargeback later is a correction. */
function isReturned(chargeback: Chargeback | null, zone: string, last: string): boolean {
  const by = (at: string | undefined) => at !== undefined && localDate(zone, Date.parse(at)) <= last;
  return chargeback !== null && by(chargeback.at) && !by(chargeback.reversedAt);
}

/** Its taxes as last adjusted: a chargeback and its reversal are revisions after the one that was adjusted. */
function taxesOf(r: Row, evidence: Evidence, chargeback: Chargeback | null): readonly TaxedLine[] {
  const later = chargeback === null ? 0 : chargeback.reversedAt === undefined ? 1 : 2;
  return r.after !== null && r.adjusted === r.revision - later ? (JSON.parse(r.after) as TaxedLine[]) : evidence.tax;
}

/** @param isHeld whether the return has what a rule charges */
export async function kindsOfSales(
  db: Database,
  of: KindsOf,
  isHeld: (line: { readonly rule: string }) => boolean,
): Promise<KindOfSales[]> {
  const found: KindOfSales[] = [];
  const asked = [of.psp, of.account, [...of.zones.keys()], of.first, of.last, ...widely(of)];
  for (const made of madeOrRedated('t.id', [4, 5], [6, 7])) {
    const read = (after: string | null) => db.query<Row>(statement(made), [...asked, after]);
    for await (const rows of allPages(page, (r) => r.id, read)) {
      const lines = rows.filter((r) => of.isOwn(r.country, r.day)).flatMap((r) => linesOf(r, of).filter(isHeld));
      // Kept together: a quarter has many sales, of few kinds.
      found.splice(0, found.length, ...summed([...found, ...lines]));
    }
  }
  return found;
}

function linesOf(r: Row, { zones, last }: KindsOf): KindOfSales[] {
  const chargeback = r.chargeback === null ? null : (JSON.parse(r.chargeback) as Chargeback);
  if (isReturned(chargeback, zones.get(r.country) ?? 'UTC', last)) return [];
  const evidence = JSON.parse(r.evidence) as Evidence;
  const { mcc: code, taxDetails: told } = JSON.parse(r.request) as Request;
  const mcc = code === undefined ? undefined : String(code);
  const kind = loadSupplyKinds().of({
    told: told?.kind,
    supply: told?.category ?? (evidence.supplySaidBy === 'PROFILE' ? evidence.supply : undefined),
    goods: evidence.goods?.map((g) => g.category),
    mcc,
  });
  const sold = { kind, from: told?.suppliedFrom, mcc: isKnown(kind) ? undefined : mcc };
  return taxesOf(r, evidence, chargeback).map(({ rule, taxable, tax }) => {
    return { country: r.country, rule, currency: r.currency, ...sold, taxable, tax };
  });
}

const summed = (lines: readonly KindOfSales[]): KindOfSales[] =>
  groupedBy(lines, ['country', 'rule', 'currency', 'kind', 'from', 'mcc']).map(({ key: _, rows, ...of }) => ({
    ...of,
    ...sums(rows, 'taxable', 'tax'),
  }));

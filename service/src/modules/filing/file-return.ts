// Records that a return was filed: its figures as they were, once for each period of a form and taxpayer.
import { localDate } from '../../core/calendar.ts';
import { type FiledLine, summedLines } from '../../core/filing/adjust.ts';
import { filedWithin } from '../../core/filing/calendar.ts';
import { payableOf, shopForm } from '../../core/filing/one-stop-shop.ts';
import type { PeriodDays } from '../../core/filing/period.ts';
import { type AccountId, type PspId, toWire } from '../../core/ids.ts';
import { orThrow, Refusal, refuse, said } from '../../core/refusal.ts';
import { findAccount } from '../accounts/index.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { readQuarter, timeZoneOf } from '../kernel/report-period.ts';
import { readAskedReturn } from './asked-form.ts';
import { type Filing, filedAfter, filingResource, filingRow, filingsOf, lockFilings } from './filing-store.ts';
import { oneStopShopKind } from './one-stop-shop-report.ts';
import { filingKind } from './report.ts';

/** The report of a return, as it is filed. */
export interface FiledReport {
  readonly psp: PspId;
  readonly account: AccountId;
  /** UUID. */
  readonly id: string;
  readonly kind: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The last journal entry that its figures are of. */
  readonly asOfSeq: number;
  /** Its JSON, and the hash of that. */
  readonly document: string;
  readonly sha256: string;
}

export interface FilingAsked {
  readonly reference: string;
  /** YYYY-MM-DD. */
  readonly filedOn: string;
}

type Row = Readonly<Record<string, string | null>>;
const rowsOf = (document: string): ((section: string) => readonly Row[]) => {
  const { sections } = JSON.parse(document) as { sections: readonly { name: string; rows: readonly Row[] }[] };
  return (name) => sections.find((s) => s.name === name)?.rows ?? [];
};

/** A line of the document; the operation is null for a tax of the period as a whole. */
const lineOf = (r: Row): FiledLine => {
  const of = (name: string) => r[name] ?? '0';
  return {
    ...(r.period ? { period: r.period } : {}),
    rule: of('rule'),
    ...(r.operation ? { operation: r.operation } : {}),
    currency: of('currency'),
    taxable: of('taxable'),
    tax: of('tax'),
    foreignTaxable: of('foreignTaxable'),
    foreignTax: of('foreignTax'),
  };
};

/** What a report declares, of which period of which form. */
interface Declared extends Pick<Filing, 'form' | 'country' | 'currency' | 'payable' | 'boxes' | 'lines'> {
  readonly period: PeriodDays;
  readonly timeZone: string;
}

function declaredByForm(s: Needs<'reference' | 'rates'>, report: FiledReport, now: number): Declared {
  const asked = orThrow(readAskedReturn(s, report.parameters as { form: string; period: string }, now));
  const { form, country } = asked.version;
  const rows = rowsOf(report.document);
  const boxes = rows('boxes').map((b) => ({ box: b.box ?? '', figure: b.figure ?? null }));
  return {
    ...{ form: form.form, country, currency: form.currency, period: asked.period, timeZone: asked.timeZone },
    payable: boxes.find((b) => b.box === form.payable)?.figure ?? '0',
    boxes,
    lines: ['lines', 'adjustments', 'fees', 'feeAdjustments'].flatMap((name) => rows(name)).map(lineOf),
  };
}

/** A return of the one-stop shop has a box for each Member State that is owed, or owes. */
function declaredInShop(
  s: Needs<'reference' | 'rates'>,
  report: FiledReport,
  country: string | null | undefined,
  now: number,
): Declared {
  if (!country) throw refuse('STATE_CONFLICT', 'the account has no country, so that nothing says where it files');
  const timeZone = timeZoneOf(s, country);
  const period = orThrow(readQuarter((report.parameters as { quarter: string }).quarter, timeZone, now));
  const rows = rowsOf(report.document);
  const boxes = rows('balances').map((b) => ({ box: b.memberState ?? '', figure: b.balance ?? '0' }));
  return {
    ...{ form: shopForm, country, currency: 'EUR', period, timeZone, boxes },
    payable: payableOf(boxes.map((b) => b.figure)),
    lines: rows('lines').map((r) => lineOf({ ...r, period: r.quarter === period.name ? null : (r.quarter ?? null) })),
  };
}

/** The return of the same form and taxpayer that was filed for days of a report's period; undefined if none was. */
export async function filedForDaysOf(
  s: Needs<'db' | 'reference' | 'rates'>,
  report: Pick<FiledReport, 'psp' | 'account' | 'kind' | 'parameters'>,
  now: number,
): Promise<Filing | undefined> {
  const { psp, account, kind, parameters } = report;
  if (kind !== filingKind && kind !== oneStopShopKind) return undefined;
  const filings = await filingsOf(s.db, {
    psp,
    account,
    form: kind === filingKind ? (parameters as { form: string }).form : shopForm,
  });
  if (kind === oneStopShopKind) return filings.find((f) => f.period === parameters.quarter);
  const asked = readAskedReturn(s, parameters as { form: string; period: string }, now);
  return asked instanceof Refusal ? undefined : filedWithin(filings, asked.period);
}

/**
 * @returns the filing, and whether the same had been recorded before
 * @throws Refusal
 */
export async function fileReturn(
  s: Needs<'ids' | 'db' | 'committer' | 'reference' | 'rates'>,
  principal: Principal,
  report: FiledReport,
  { reference, filedOn }: FilingAsked,
  now: number,
): Promise<{ filing: Filing; known: boolean }> {
  const { period, timeZone, ...declared } =
    report.kind === oneStopShopKind
      ? declaredInShop(s, report, (await findAccount(s.db, report.psp, report.account))?.country, now)
      : declaredByForm(s, report, now);
  const today = localDate(timeZone, now);
  if (filedOn > today) throw refuse('FIELD_INVALID', said`the field 'filedOn' is after today, ${today}`);
  if (filedOn <= period.last)
    throw refuse('FIELD_INVALID', said`the field 'filedOn' is not after the period's last day, ${period.last}`);
  const at = new Date(now).toISOString();
  const filing: Filing = {
    ...declared,
    psp: report.psp,
    id: s.ids.next(),
    account: report.account,
    report: report.id,
    period: period.name,
    firstDay: period.first,
    lastDay: period.last,
    documentSha256: report.sha256,
    lines: summedLines(declared.lines),
    reference,
    filedOn,
    filedBy: principal.actor,
    createdAt: at,
  };
  return await s.db.transaction(async (tx) => {
    await lockFilings(tx, filing);
    const filed = await filingsOf(tx, filing);
    const same = filed.find((f) => f.report === report.id && f.reference === reference && f.filedOn === filedOn);
    if (same) return { filing: same, known: true };
    const overlapping = filedWithin(filed, period);
    if (overlapping) throw alreadyFiled(overlapping);
    const since = await filedAfter(tx, filing, report.asOfSeq);
    if (since !== undefined)
      throw refuse(
        'STATE_CONFLICT',
        said`the return of ${since} was filed after this report was made, which may correct the same; run the report again and file that`,
      );
    const entry = journalRow(s, principal, at, {
      kind: 'return.filed',
      ...about(filing),
      data: filingResource(filing),
      evidence: { lines: filing.lines.map(evidenceOf) },
    });
    await recordIn(tx, s, { rows: [filingRow(filing), entry] });
    return { filing, known: false };
  });
}

const evidenceOf = ({ period, operation, ...line }: FiledLine) => ({
  ...(period === undefined ? {} : { period }),
  ...(operation === undefined ? {} : { operation }),
  ...line,
});

const alreadyFiled = (f: Filing): Refusal =>
  refuse(
    'STATE_CONFLICT',
    said`the form ${f.form} was filed for ${f.period} on ${f.filedOn} by ${f.filedBy}, reference '${f.reference}', as ${toWire('report', f.report)}; later changes of that period are corrected in the next return`,
  );

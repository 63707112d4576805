// Records that a return was filed: its figures as they were, once for each period of a form and taxpayer.
import { localDate } from '../../core/calendar.ts';
import { type FiledLine, summedLines } from '../../core/filing/adjust.ts';
import { type AccountId, type PspId, toWire } from '../../core/ids.ts';
import { Refusal, refuse, said } from '../../core/refusal.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { readAskedReturn } from './asked-form.ts';
import { type Filing, filedAfter, filingResource, filingRow, filingsOf, lockFilings } from './filing-store.ts';

/** The report of a return, as it is filed. */
export interface FiledReport {
  readonly psp: PspId;
  readonly account: AccountId;
  /** UUID. */
  readonly id: string;
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
  const asked = readAskedReturn(s, report.parameters as { form: string; period: string }, now);
  if (asked instanceof Refusal) throw asked;
  const { version, period, timeZone } = asked;
  const { form } = version.form;
  const today = localDate(timeZone, now);
  if (filedOn > today) throw refuse('FIELD_INVALID', said`the field 'filedOn' is after today, ${today}`);
  if (filedOn <= period.last)
    throw refuse('FIELD_INVALID', said`the field 'filedOn' is not after the period's last day, ${period.last}`);
  const rows = rowsOf(report.document);
  const boxes = rows('boxes').map((b) => ({ box: b.box ?? '', figure: b.figure ?? null }));
  const at = new Date(now).toISOString();
  const filing: Filing = {
    psp: report.psp,
    id: s.ids.next(),
    account: report.account,
    report: report.id,
    form,
    country: version.country,
    period: period.name,
    firstDay: period.first,
    lastDay: period.last,
    currency: version.form.currency,
    payable: boxes.find((b) => b.box === version.form.payable)?.figure ?? '0',
    documentSha256: report.sha256,
    boxes,
    lines: summedLines(['lines', 'adjustments', 'fees', 'feeAdjustments'].flatMap((name) => rows(name)).map(lineOf)),
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
    const overlapping = filed.find((f) => f.firstDay <= period.last && f.lastDay >= period.first);
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

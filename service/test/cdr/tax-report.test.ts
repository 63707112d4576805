// The tax report on call detail records, from dropped files to the page: a month of three operators compared with sums
// in SQL over the records, and with the operators' declarations.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimal } from '../../src/core/money.ts';
import { plainOf, plus } from '../../src/core/sums.ts';
import type { Account } from '../support/app.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { operators } from '../support/cdr-world/people.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { shownNumber } from '../support/shown-number.ts';
import { type TelecomMonth, takeInMonth } from '../support/telecom-month.ts';

let m: TelecomMonth;
let sums: readonly Sums[];
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the report says
let whole: any;
let reportId: string;

/** Of one operator and class, in exact texts. */
interface Sums {
  readonly operator: string;
  readonly class: string;
  readonly records: string;
  readonly minutes: string;
  readonly dataMb: string;
  readonly gross: string;
  readonly EXCISE: string;
  readonly exciseBase: string;
  readonly VAT: string;
  readonly vatBase: string;
  /** In dollars; '0' where no call came from abroad. */
  readonly SURTAX: string;
  readonly surtaxed: string;
}

/**
 * Class and taxes of every record by its numbers' masks and the rule rows in force, in SQL: nothing of the product's
 * code, and none of its tables of analyses and totals, has a part in it. The receiver's range is held against the
 * provider's.
 */
async function sumsOf(month: string, recorded: { from: string; to: string }): Promise<Sums[]> {
  const rows = await m.t.database.admin.query(
    `WITH rules AS (
       SELECT rule::json AS r FROM tax_rules WHERE jurisdiction = 'NG' AND upper_inf(recorded) AND rule LIKE '%recordCDR%'
     ), rates AS (
       SELECT (SELECT (r ->> 'rate')::numeric / 100 FROM rules WHERE r ->> 'taxCode' = 'EXCISE') AS excise,
         (SELECT (r ->> 'rate')::numeric / 100 FROM rules WHERE r ->> 'taxCode' = 'VAT') AS vat,
         (SELECT (r ->> 'unitAmount')::numeric FROM rules WHERE r ->> 'taxCode' = 'SURTAX') AS per_minute
     ), records AS (
       SELECT c.account_id, c.call_type AS type, c.duration_s, c.cost, c.network_provider AS network,
         c.caller_mask AS a, c.receiver_mask AS b,
         coalesce((c.record::json ->> 'billing_information_data_used_kb')::numeric, 0) AS kb
       FROM cdrs c
       WHERE to_char(c.call_start AT TIME ZONE 'Africa/Lagos', 'YYYY-MM') = $1
         AND c.created_at >= $2::timestamptz AND c.created_at < $3::timestamptz
     ), classed AS (
       SELECT *, CASE
         WHEN network = 'MTN Ghana' THEN 'ROAMING'
         WHEN type = 'DATA' THEN 'DATA'
         WHEN length(b) < 7 THEN 'SHORTCODE'
         WHEN type = 'SMS' THEN 'SMS'
         WHEN type = 'VOIP' THEN 'VOIP'
         WHEN a NOT LIKE '+234%' THEN 'INTL_IN'
         WHEN b NOT LIKE '+234%' THEN 'INTL_OUT'
         WHEN left(a, 7) = left(b, 7)
           AND left(a, 7) = coalesce((SELECT p FROM unnest($4::text[], $5::text[]) AS o(n, p) WHERE n = network), left(a, 7))
           THEN 'ONNET'
         ELSE 'OFFNET' END AS class,
         a NOT LIKE '+234%' AND b LIKE '+234%' AS incoming
       FROM records
     ), taxed AS (
       SELECT c.*, cost * excise AS e, (cost + cost * excise) * vat AS v,
         CASE WHEN incoming THEN round(per_minute * duration_s / 60, 12) ELSE 0 END AS s
       FROM classed c, rates
     )
     SELECT a.name AS operator, class, count(*)::text AS records, round(sum(duration_s) / 60.0, 2)::text AS minutes,
       round(sum(kb) / 1024, 2)::text AS "dataMb", trim_scale(sum(cost))::text AS gross,
       trim_scale(sum(e))::text AS "EXCISE", trim_scale(sum(cost))::text AS "exciseBase",
       trim_scale(sum(v))::text AS "VAT", trim_scale(sum(cost + e))::text AS "vatBase",
       trim_scale(sum(s))::text AS "SURTAX", round(coalesce(sum(duration_s) FILTER (WHERE incoming), 0) / 60.0, 2)::text AS surtaxed
     FROM taxed t JOIN accounts a ON a.id = t.account_id GROUP BY a.name, class ORDER BY a.name, class`,
    [month, recorded.from, recorded.to, operators.map((o) => o.network), operators.map((o) => o.prefix)],
  );
  return rows as unknown as Sums[];
}

const total = (texts: readonly string[]) => plainOf(texts.map(decimal).reduce(plus, decimal('0')));
const minus = (a: string, b: string) => {
  const { units, scale } = decimal(b);
  return plainOf(plus(decimal(a), { units: -units, scale }));
};
/** To the currency's smallest unit, half up, as operators declare. */
const cents = (exact: string) => {
  const { units, scale } = decimal(exact);
  const one = 10n ** BigInt(scale);
  return (Number((units * 200n + one) / (one * 2n)) / 100).toFixed(2);
};
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the report says
const section = (report: any, name: string) => {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the report says
  const found = report.sections.find((s: any) => s.name === name);
  if (!found) throw new Error(`no section ${name} in ${report.sections.map((s: { name: string }) => s.name)}`);
  return found.rows;
};
const operator = (token: string) => m.operators.get(token) as Account;
const [mtn, glo, nine] = operators.map((o) => o.network);
const sumsFor = (name: string | undefined) => sums.filter((s) => s.operator === name);
const sumFor = (name: string | undefined, is: string) => sumsFor(name).find((s) => s.class === is) as Sums;

/** What is wrong in the declarations: all of it, and nothing else, must be found. */
interface PlantedVariance {
  readonly operator: string | undefined;
  readonly class: string;
  readonly taxCode: string | null;
  readonly figure: string;
  readonly currency: string;
  readonly variance: string | null;
  readonly finding: string;
}
const planted: PlantedVariance[] = [];

/** Declares, and returns what differs from the computed figure. */
async function declare(token: string, lines: readonly Record<string, unknown>[]) {
  const body = JSON.stringify({ period: '2026-10', lines }).replace(/"#([^"]+)"/g, '$1');
  return contentOf(await m.t.post('/v1/telecom/declaration', body, operator(token).apiKey));
}
/** A number that stays as exact as it is written. */
const exact = (n: string) => `#${n}`;

/** MTN declares each class and tax, with some figures wrong. */
async function declareMtn() {
  const lines: Record<string, unknown>[] = [];
  for (const s of sumsFor(mtn)) {
    const records = s.class === 'SMS' ? Number(s.records) - 17 : Number(s.records);
    const gross = s.class === 'OFFNET' ? total([s.gross, '1000']) : s.gross;
    const volumes = { records, minutes: exact(s.minutes), dataMb: exact(s.dataMb), gross: exact(gross) };
    const vat = s.class === 'ONNET' ? total([cents(s.VAT), '-123.45']) : cents(s.VAT);
    const [is, currency] = [s.class, 'NGN'];
    lines.push({ class: is, taxCode: 'VAT', ...volumes, taxable: exact(s.vatBase), tax: exact(vat), currency });
    if (is !== 'DATA') lines.push({ class: is, taxCode: 'EXCISE', ...volumes, tax: exact(cents(s.EXCISE)), currency });
    if (s.SURTAX !== '0') lines.push({ class: is, taxCode: 'SURTAX', tax: exact(cents(s.SURTAX)), currency: 'USD' });
  }
  lines.push({ class: 'UNCLASSIFIED', taxCode: 'VAT', tax: 9.99, currency: 'NGN' });
  await declare('MTN', [{ class: 'ONNET', taxCode: 'VAT', tax: 1, currency: 'NGN' }]);
  expect((await declare('MTN', lines)).status).toBe('SUPERSEDED');
  const [onNet, data] = [sumFor(mtn, 'ONNET'), sumFor(mtn, 'DATA')];
  const of = { operator: mtn, currency: 'NGN' };
  planted.push(
    {
      ...{ ...of, class: 'ONNET', taxCode: 'VAT', figure: 'tax', finding: 'UNDER' },
      variance: minus(total([cents(onNet.VAT), '-123.45']), onNet.VAT),
    },
    { ...of, class: 'SMS', taxCode: null, figure: 'records', finding: 'UNDER', variance: '-17' },
    { ...of, class: 'OFFNET', taxCode: null, figure: 'gross', finding: 'OVER', variance: '1000' },
    { ...of, class: 'DATA', taxCode: 'EXCISE', figure: 'tax', finding: 'NOT_DECLARED', variance: null },
    { ...of, class: 'UNCLASSIFIED', taxCode: 'VAT', figure: 'tax', finding: 'NOT_COMPUTED', variance: '9.99' },
  );
  expect(data.EXCISE).not.toBe('0');
}

/** Glo declares VAT in one sum, a hundred too much, and nothing else. */
async function declareGlo() {
  const vat = total(sumsFor(glo).map((s) => s.VAT));
  const said = total([cents(vat), '100']);
  await declare('GLO', [{ taxCode: 'VAT', tax: exact(said), currency: 'NGN' }]);
  planted.push({
    ...{ operator: glo, class: 'ALL', taxCode: 'VAT', figure: 'tax', currency: 'NGN', finding: 'OVER' },
    variance: minus(said, vat),
  });
  undeclared(glo, ['EXCISE', 'SURTAX']);
}

function undeclared(name: string | undefined, codes: readonly ('EXCISE' | 'VAT' | 'SURTAX')[]) {
  for (const s of sumsFor(name))
    for (const taxCode of codes)
      if (s[taxCode] !== '0')
        planted.push({
          ...{ operator: name, class: s.class, taxCode, figure: 'tax', variance: null, finding: 'NOT_DECLARED' },
          currency: taxCode === 'SURTAX' ? 'USD' : 'NGN',
        });
}

beforeAll(async () => {
  m = await takeInMonth({ seed: 20261001, perDay: 15 });
  sums = await sumsOf('2026-10', { from: '2026-10-01T00:00:00Z', to: '2026-11-30T00:00:00Z' });
  await declareMtn();
  await declareGlo();
  undeclared(nine, ['EXCISE', 'VAT', 'SURTAX']);
  const r = await made(m.t, { kind: 'cdrTax', period: '2026-10' }, m.psp.apiKey);
  expect(r).toMatchObject({ state: 'DONE', reason: null });
  reportId = r.reportId;
  whole = (await m.t.get(`/v1/report/${reportId}/json`, m.psp.apiKey)).body;
});
afterAll(() => m?.t.stop());

const sorted = <T>(list: readonly T[]) => list.map((x) => JSON.stringify(x)).sort();

describe('the figures', () => {
  it('have records of every class there is traffic of, and of all three operators', () => {
    expect(new Set(sums.map((s) => s.operator))).toEqual(new Set([mtn, glo, nine]));
    expect(new Set(sums.map((s) => s.class)).size).toBe(9);
    expect(sums.reduce((n, s) => n + Number(s.records), 0)).toBeGreaterThan(1_500);
  });

  it('of volumes are the sums over the records, by operator and class', () => {
    const told = section(whole, 'volumes').map((r: Record<string, unknown>) => [
      ...[r.operator, r.class, String(r.records), r.minutes, r.dataMb, r.gross, r.tax, r.currency],
    ]);
    expect(sorted(told)).toEqual(
      sorted(
        sums.map((s) => [
          ...[s.operator, s.class, s.records, s.minutes, s.dataMb, s.gross, total([s.EXCISE, s.VAT]), 'NGN'],
        ]),
      ),
    );
  });

  it('of taxes are the sums of what each record bears by the rules in force, base and tax', () => {
    const told = section(whole, 'taxes').map((r: Record<string, unknown>) => [
      ...[r.operator, r.class, r.taxCode, r.rate, r.taxable, r.quantity, r.unit, r.tax, r.taxCurrency],
    ]);
    const bySql = sums.flatMap((s) => [
      [s.operator, s.class, 'EXCISE', '5 %', s.exciseBase, null, null, s.EXCISE, 'NGN'],
      [s.operator, s.class, 'VAT', '7.5 %', s.vatBase, null, null, s.VAT, 'NGN'],
      ...(s.surtaxed === '0.00'
        ? []
        : [[s.operator, s.class, 'SURTAX', '0.07 USD', null, s.surtaxed, 'minute', s.SURTAX, 'USD']]),
    ]);
    expect(bySql.some((r) => r[2] === 'SURTAX')).toBe(true);
    expect(sorted(told)).toEqual(sorted(bySql));
  });

  it('are drawn: tax by class over all operators, records by day', async () => {
    const chart = Object.fromEntries(whole.sections.map((s: { name: string; chart: unknown }) => [s.name, s.chart]));
    expect(chart.taxByClass).toEqual({ kind: 'bar', label: 'class', values: ['tax'] });
    const onNet = section(whole, 'taxByClass').find(
      (r: { class: string; currency: string }) => r.class === 'ONNET' && r.currency === 'NGN',
    );
    const all = sums.filter((s) => s.class === 'ONNET').flatMap((s) => [s.EXCISE, s.VAT]);
    expect(onNet.tax).toBe(total(all));
    expect(chart.days).toEqual({ kind: 'line', label: 'day', values: ['records'] });
    const days = await m.t.database.admin.query(
      `SELECT to_char(call_start AT TIME ZONE 'Africa/Lagos', 'YYYY-MM-DD') AS day, count(*) AS records FROM cdrs
       WHERE psp_id = $1 GROUP BY 1 ORDER BY 1`,
      [m.psp.uuid],
    );
    expect(section(whole, 'days')).toEqual(days);
    expect(days.length).toBe(31);
  });
});

describe('declared figures', () => {
  it('that differ are all found, with the exact variance, and none that does not', () => {
    const told = section(whole, 'declared')
      .filter((r: { finding: string }) => !['EQUAL', 'WITHIN_ROUNDING'].includes(r.finding))
      .map((r: Record<string, unknown>) => [
        ...[r.operator, r.class, r.taxCode, r.figure, r.currency, r.variance, r.finding],
      ]);
    expect(sorted(told)).toEqual(
      sorted(planted.map((p) => [p.operator, p.class, p.taxCode, p.figure, p.currency, p.variance, p.finding])),
    );
    expect(new Set(planted.map((p) => p.finding))).toEqual(new Set(['UNDER', 'OVER', 'NOT_DECLARED', 'NOT_COMPUTED']));
  });

  it('are told with their per cent and a sentence', () => {
    const row = (of: Partial<PlantedVariance>) =>
      section(whole, 'declared').find((r: Record<string, unknown>) =>
        Object.entries(of).every(([name, value]) => r[name] === value),
      );
    const gross = sumFor(mtn, 'OFFNET').gross;
    expect(row({ operator: mtn, class: 'OFFNET', figure: 'gross' })).toMatchObject({
      computed: gross,
      declared: total([gross, '1000']),
      variancePercent: ((1000 / Number(gross)) * 100).toFixed(2),
      note: 'More was declared than computed.',
    });
    expect(row({ operator: nine, class: 'ONNET', taxCode: 'VAT' })).toMatchObject({
      computed: sumFor(nine, 'ONNET').VAT,
      declared: null,
      variancePercent: null,
      note: 'Nothing was declared.',
    });
  });

  it('are compared in all, tax by tax, with a note where an operator declared nothing', () => {
    const summary = section(whole, 'summary').map((r: Record<string, unknown>) => [
      ...[r.operator, r.taxCode, r.currency, r.computed, r.late, r.due, r.declared, r.variance, r.finding],
    ]);
    const taxes = [mtn, glo, nine].flatMap((name) =>
      (['EXCISE', 'VAT', 'SURTAX'] as const).map((code) => {
        const own = sumsFor(name).map((s) => s[code]);
        const computed = total(own);
        const said =
          name === mtn
            ? code === 'VAT'
              ? total([...own.map(cents), '-123.45', '9.99'])
              : total(sumsFor(name).map((s) => (code === 'EXCISE' && s.class === 'DATA' ? '0' : cents(s[code]))))
            : name === glo && code === 'VAT'
              ? total([cents(computed), '100'])
              : null;
        const variance = said === null ? null : minus(said, computed);
        const small = variance !== null && Math.abs(Number(variance)) < 0.01 * (code === 'SURTAX' ? 1 : 9);
        const finding =
          variance === null
            ? 'NOT_DECLARED'
            : variance === '0'
              ? 'EQUAL'
              : small
                ? 'WITHIN_ROUNDING'
                : Number(variance) < 0
                  ? 'UNDER'
                  : 'OVER';
        const currency = code === 'SURTAX' ? 'USD' : 'NGN';
        return [name, code, currency, computed, '0', cents(computed), said, variance, finding];
      }),
    );
    expect(sorted(summary)).toEqual(sorted(taxes));
    const notes = section(whole, 'summary').filter((r: { operator: string }) => r.operator === nine);
    expect(notes.map((r: { note: string }) => r.note)).toEqual(
      notes.map(() => 'The operator declared nothing for this month.'),
    );
  });

  it('name the declaration in force with its revision and hash', async () => {
    const rows = await m.t.database.admin.query(
      `SELECT a.name AS operator, d.revision, d.content AS sha256 FROM cdr_declarations d JOIN accounts a ON a.id = d.account_id
       WHERE NOT (a.name = $1 AND d.revision = 1) ORDER BY 1`,
      [mtn],
    );
    expect(
      sorted(section(whole, 'declarations').map((r: Record<string, unknown>) => [r.operator, r.revision, r.sha256])),
    ).toEqual(sorted(rows.map((r) => [r.operator, r.revision, r.sha256])));
    expect(rows.map((r) => r.revision)).toEqual([1, 2]);
  });
});

interface Opened {
  readonly cost: string;
  readonly seconds: number;
  readonly dataKb: string;
  readonly taxes: readonly { taxCode: string; ruleId: string; currency: string; taxable: number | null; tax: string }[];
}

/** All records behind a path, page by page; numbers as exact texts. */
async function opened(path: string, key: string): Promise<Opened[]> {
  const all: Opened[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const r = await m.t.get(`${path}&limit=200${cursor && `&cursor=${cursor}`}`, key);
    if (r.status !== 200) throw new Error(`${path} answered ${r.text}`);
    const content = JSON.parse(r.text, (_, v, context?: { source: string }) =>
      typeof v === 'number' ? (context?.source ?? String(v)) : v,
    ).content;
    all.push(...content.items);
    cursor = content.nextCursor;
  }
  return all;
}

describe('each figure', () => {
  const taxesOf = (records: readonly Opened[], of: { ruleId?: string; taxCode?: string; currency: string }) =>
    records
      .flatMap((r) => r.taxes)
      .filter(
        (x) =>
          (of.ruleId === undefined || x.ruleId === of.ruleId) &&
          (of.taxCode === undefined || x.taxCode === of.taxCode) &&
          x.currency === of.currency,
      );

  it('of volumes and taxes opens to the records it is the sum of', async () => {
    for (const row of section(whole, 'volumes')) {
      const records = await opened(row.open, m.psp.apiKey);
      expect([row.class, records.length]).toEqual([row.class, row.records]);
      expect(total(records.map((r) => r.cost))).toBe(row.gross);
      const seconds = records.reduce((n, r) => n + Number(r.seconds), 0);
      expect((seconds / 60).toFixed(1)).toBe(Number(row.minutes).toFixed(1));
    }
    for (const row of section(whole, 'taxes')) {
      const records = await opened(row.open, m.psp.apiKey);
      const taxes = taxesOf(records, { ruleId: row.ruleId, currency: row.taxCurrency });
      expect([row.ruleId, taxes.length]).toEqual([row.ruleId, row.records]);
      expect(total(taxes.map((x) => x.tax))).toBe(row.tax);
    }
  });

  it('that is compared opens to the records of the computed one', async () => {
    const rows = section(whole, 'declared').filter((r: { computed: string | null }) => r.computed !== null);
    expect(rows.length).toBeGreaterThan(60);
    for (const row of rows.filter((r: { figure: string }) => ['tax', 'gross', 'records'].includes(r.figure))) {
      const records = await opened(row.open, m.psp.apiKey);
      const computed =
        row.figure === 'records'
          ? String(records.length)
          : row.figure === 'gross'
            ? total(records.map((r) => r.cost))
            : total(taxesOf(records, { taxCode: row.taxCode, currency: row.currency }).map((x) => x.tax));
      expect([row.operator, row.class, row.figure, computed]).toEqual([
        row.operator,
        row.class,
        row.figure,
        row.computed,
      ]);
    }
  });
});

describe('the head and what came in', () => {
  it('names every file with the hash of its bytes, and counts each record once', async () => {
    const files = section(whole, 'inputFiles');
    expect(sorted(files.map((f: Record<string, unknown>) => [f.fileName, f.sha256]))).toEqual(
      sorted(m.files.map((f) => [f.name, f.sha256])),
    );
    const [all] = await m.t.database.admin.query('SELECT count(*) AS n FROM cdrs');
    expect(files.reduce((n: number, f: { inMonth: number }) => n + f.inMonth, 0)).toBe(all?.n);
    const facts = new Map(whole.facts.map((f: { name: string; value: string }) => [f.name, f.value]));
    expect(facts.get('records')).toBe(`${all?.n}, of them ${all?.n} out of ${m.files.length} files and 0 one by one`);
    const [dataset] = await m.t.database.admin.query(
      'SELECT version FROM tax_datasets ORDER BY recorded_at DESC LIMIT 1',
    );
    expect(facts.get('rules')).toBe(dataset?.version);
    expect(facts.get('inputHash')).toMatch(/^[0-9a-f]{64}$/);
    expect(facts.get('analysis')).toMatch(/^complete/);
    expect([whole.provisional, whole.revision, whole.kind]).toEqual([false, 1, 'cdrTax']);
  });

  it('has what was planted in the deliveries and the traffic', () => {
    const { gaps, bad, indicators, duplicates } = m.world.planted;
    const told = section(whole, 'sequenceGaps').map((g: { name: string; from: number; to: number }) => [
      g.name,
      g.from,
      g.to,
    ]);
    expect(sorted(told)).toEqual(sorted(gaps.map((g) => [g.operator, g.from, g.to])));
    const suspense = section(whole, 'suspense');
    expect(suspense.reduce((n: number, s: { lines: number }) => n + s.lines, 0)).toBe(bad.length);
    expect(total(suspense.map((s: { value: string | null }) => s.value ?? '0'))).toBe(
      total(bad.map((b) => b.cost ?? '0')),
    );
    const repeated = section(whole, 'records').reduce((n: number, r: { duplicates: number }) => n + r.duplicates, 0);
    expect(repeated).toBe(duplicates.length);
    const callers = section(whole, 'standoutCallers').map((c: { number: string }) => c.number);
    expect(callers).toEqual(
      expect.arrayContaining([...indicators.keys()].map((number) => shownNumber(m.t, m.psp, number))),
    );
  });
});

describe('the documents', () => {
  it('say the same as JSON, CSV and page, each byte for byte as the manifest has hashed it', async () => {
    const detail = contentOf(await m.t.get(`/v1/report/${reportId}`, m.psp.apiKey));
    const hashes = new Map(detail.manifest.files.map((f: { name: string; sha256: string }) => [f.name, f.sha256]));
    const hash = (bytes: string) => createHash('sha256').update(bytes).digest('hex');
    const { json, page, csv } = detail.links;
    expect(hash((await m.t.get(json, m.psp.apiKey)).text)).toBe(hashes.get('json'));
    const shown = await m.t.get(page, m.psp.apiKey);
    expect(hash(shown.text)).toBe(hashes.get('page'));
    expect(shown.text).toContain('<svg');
    expect(shown.text).toContain('Less was declared than computed.');
    for (const { section: name, href } of csv) {
      const table = await m.t.get(href, m.psp.apiKey);
      expect(hash(table.text)).toBe(hashes.get(`csv:${name}`));
    }
    const declared = await m.t.get(csv.find((c: { section: string }) => c.section === 'declared').href, m.psp.apiKey);
    const lines = declared.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + section(whole, 'declared').length);
    expect(lines[0]).toBe(
      'clientId,operator,class,taxCode,figure,currency,computed,declared,variance,variancePercent,finding,note,open',
    );
    expect(lines.filter((l) => l.includes(`,${mtn},SMS,,records,NGN,`) && l.includes(',-17,'))).toHaveLength(1);
  });
});

describe('an operator', () => {
  it('sees its own month and nothing of the others, nor what is for who oversees it', async () => {
    const { apiKey } = operator('GLO');
    const r = await made(m.t, { kind: 'cdrTax', period: '2026-10' }, apiKey);
    const own = await m.t.get(`/v1/report/${r.reportId}/json`, apiKey);
    const volumes = section(own.body, 'volumes');
    expect(volumes.map((v: { class: string; gross: string }) => [v.class, v.gross]).sort()).toEqual(
      sumsFor(glo).map((s) => [s.class, s.gross]),
    );
    expect(volumes[0]).not.toHaveProperty('clientId');
    const names = own.body.sections.map((s: { name: string }) => s.name);
    for (const name of ['standoutCallers', 'sharedDevices', 'overlappingCalls', 'offNetMatching'])
      expect(names).not.toContain(name);
    for (const other of ['MTN', '9MOBILE']) expect(own.text).not.toContain(operator(other).id);
    expect((await opened(volumes[0].open, apiKey)).length).toBe(volumes[0].records);
    expectRefusal(await m.t.get(`/v1/report/${reportId}/json`, apiKey), 404, 'NOT_FOUND');
    expectRefusal(await m.t.get(volumes[0].open, operator('MTN').apiKey), 404, 'NOT_FOUND');
  });

  it('has no report of a month that has not started, or is none', async () => {
    for (const period of ['2026-12', '2026-13', 'October'])
      expectRefusal(
        await m.t.post('/v1/report', { kind: 'cdrTax', period }, operator('GLO').apiKey),
        400,
        'FIELD_INVALID',
        /^the field 'period' /,
      );
  });
});

describe('records that come when their month is closed', () => {
  it('are adjustments of the next one, apart from its own figures, and change nothing in the closed one', async () => {
    const { apiKey } = operator('MTN');
    contentOf(await m.t.post('/v1/telecom/period/close', { period: '2026-10' }, apiKey));
    await analysed(m.t, m.psp);
    m.t.advance(60_000);
    const from = new Date(m.t.now()).toISOString();
    const rows = Array.from({ length: 5 }, (_, n) =>
      cdrRow(`late-${n}`, {
        receiver_number: '+2348037654321',
        call_start_time: `2026-10-2${n}T09:00:00Z`,
        call_end_time: `2026-10-2${n}T09:02:00Z`,
        billing_information_call_cost: `${n}.37`,
      }),
    );
    drop(dataDirOf(m.t), operator('MTN'), 'late.csv', cdrText(...rows));
    await m.t.app.services.cdrIntake.pickUp();
    await analysed(m.t, m.psp);
    const [late] = await sumsOf('2026-10', { from, to: '2026-11-30T00:00:00Z' });
    expect([late?.class, late?.records]).toEqual(['ONNET', '5']);

    const r = await made(m.t, { kind: 'cdrTax', period: '2026-11' }, apiKey);
    const next = (await m.t.get(`/v1/report/${r.reportId}/json`, apiKey)).body;
    expect(next.provisional).toBe(true);
    expect(section(next, 'volumes')).toEqual([]);
    const told = section(next, 'late');
    expect(told.map((x: Record<string, unknown>) => [x.callPeriod, x.class, x.taxCode, x.records, x.tax])).toEqual([
      ['2026-10', 'ONNET', 'EXCISE', 5, late?.EXCISE],
      ['2026-10', 'ONNET', 'VAT', 5, late?.VAT],
    ]);
    const records = await opened(told[1].open, apiKey);
    expect(total(records.flatMap((x) => x.taxes.filter((y) => y.taxCode === 'VAT').map((y) => y.tax)))).toBe(late?.VAT);
    const vat = section(next, 'summary').find((x: { taxCode: string }) => x.taxCode === 'VAT');
    expect([vat.computed, vat.late, vat.due]).toEqual(['0', late?.VAT, cents(late?.VAT as string)]);

    const again = contentOf(await m.t.post(`/v1/report/${reportId}/rerun`, undefined, m.psp.apiKey));
    const second = await made(m.t, { kind: 'cdrTax', period: '2026-10' }, m.psp.apiKey);
    expect(again.revision).toBe(2);
    const after = (await m.t.get(`/v1/report/${second.reportId}/json`, m.psp.apiKey)).body;
    for (const name of ['summary', 'taxByClass', 'volumes', 'taxes', 'declared', 'late', 'inputFiles'])
      expect(section(after, name)).toEqual(section(whole, name));
  });
});

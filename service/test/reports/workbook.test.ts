// A workbook read back by another reader: every cell has the value of the report's JSON, figures as numbers where a double
// holds them, text that looks like a formula as text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportDocument, ReportSection } from '../../src/core/reports/document.ts';
import { mostSheetCells } from '../../src/core/reports/sheets.ts';
import { renderReport } from '../../src/modules/reports/manifest.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { made } from '../support/reports.ts';
import { type ReadCell, readWorkbook } from '../support/workbook.ts';
import { totalled } from '../totals/life.ts';

const head = {
  reportId: 'rpt_1',
  kind: 'test',
  clientId: 'psp_1',
  parameters: {},
  revision: 1,
  asOf: { journalSeq: 7, time: '2026-11-25T12:00:00.000Z' },
  dataset: 'abc',
};
const columns = [
  { name: 'clientId', title: 'Client', type: 'text' },
  { name: 'currency', title: 'Currency', type: 'text' },
  { name: 'amount', title: 'Amount', type: 'money' },
  { name: 'rate', title: 'Rate', type: 'percent' },
  { name: 'count', title: 'Records', type: 'count' },
  { name: 'day', title: 'Day', type: 'date' },
  { name: 'at', title: 'At', type: 'time' },
  { name: 'words', title: 'Words', type: 'text' },
] as const;
const documentOf = (...sections: Partial<ReportSection>[]): ReportDocument => ({
  head,
  content: {
    title: 'A test',
    facts: [{ name: 'f', title: 'Fact', value: '=1+1' }],
    provisional: false,
    sections: sections.map((s, i) => ({ name: `s${i}`, title: 'A section', columns, rows: [], ...s })),
  },
});
const legibility = { kind: 'Test', names: new Map([['cli_1', 'Lagos Books']]), decimals: new Map([['NGN', 2]]) };
async function workbookOf(document: ReportDocument) {
  const { files } = await renderReport(document, legibility);
  const file = files.find((f) => f.name === 'xlsx');
  return file && readWorkbook(Buffer.from(file.content, 'base64'));
}
const values = (row: readonly (ReadCell | undefined)[] | undefined) => Array.from(row ?? [], (c) => c?.value);
/** Days since 30 December 1899, as spreadsheets count. */
const serial = (iso: string) => Date.parse(iso) / 86_400_000 + 25_569;

describe('a workbook', () => {
  it('has figures as numbers, days as days, names with their ids beside them, and empty cells', async () => {
    const row = ['cli_1', 'NGN', '-1234567.5', '7.50', '12', '2026-11-25', '2026-11-25T10:30:00Z', 'Sale'];
    const sheets = await workbookOf(documentOf({ rows: [{ cells: row }, { cells: row.map(() => null) }] }));
    const sheet = sheets?.[1];
    expect(values(sheet?.rows[0])).toEqual([
      'Client',
      'Client id',
      'Currency',
      'Amount',
      'Rate',
      'Records',
      'Day',
      'At',
      'Words',
    ]);
    const cells = sheet?.rows[1];
    expect(values(cells)).toEqual([
      ...['Lagos Books', 'cli_1', 'NGN', -1_234_567.5, 7.5, 12],
      ...[serial('2026-11-25T00:00:00Z'), serial('2026-11-25T10:30:00Z'), 'Sale'],
    ]);
    expect([3, 4, 5].map((i) => cells?.[i]?.format)).toEqual(['#,##0.00', '0.00"%"', '#,##0']);
    expect([6, 7].map((i) => cells?.[i]?.format)).toEqual(['yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss" UTC"']);
    expect(values(sheet?.rows[2]).every((v) => v === undefined)).toBe(true);
    expect(sheet?.frozenRows).toBe(1);
    expect(sheet?.widths).toHaveLength(9);
    expect(Math.min(...(sheet?.widths ?? []))).toBeGreaterThan(3);
  });

  it('says on its first sheet what each other one has, with the note on its figures', async () => {
    const row = { cells: columns.map(() => null) };
    const sections = [{ title: 'By client', note: 'Days are local.', rows: [row, row] }, { title: 'By fee row' }];
    const [about, ...others] = (await workbookOf(documentOf(...sections))) ?? [];
    expect(about?.rows.slice(-2).map(values)).toEqual([
      ['Sheet “By client”', 'Rows: 2. Days are local.'],
      ['Sheet “By fee row”', 'Rows: 0.'],
    ]);
    expect(others.map((s) => s.name)).toEqual(['By client', 'By fee row']);
  });

  it('names its sheets by whole words, each by another name, and says the whole title of one that is cut', async () => {
    const titles = [
      'What is not in the figures of this period',
      'What is not in the figures of another period',
      'Taxes of the period',
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk',
      'Sales [net]: all',
      'Tax to pay, by the Member State of consumption',
    ];
    const sheets = (await workbookOf(documentOf(...titles.map((title) => ({ title }))))) ?? [];
    const names = sheets.slice(1).map((s) => s.name);
    expect(names).toEqual([
      ...['What is not in the figures', 'What is not in the figures 2', 'Taxes of the period'],
      ...['Donaudampfschifffahrtselektrizi', 'Sales net all', 'Tax to pay, by the Member State'],
    ]);
    expect(sheets[0]?.rows.at(-1)?.map((c) => c?.value)).toEqual([
      'Sheet “Tax to pay, by the Member State”',
      'Tax to pay, by the Member State of consumption. Rows: 0.',
    ]);
  });

  it('is in French beside the English one, with the same figures', async () => {
    const rows = [{ cells: ['cli_1', 'NGN', '-1234567.5', '7.50', '12', '2026-11-25', null, 'Sale'] }];
    const { files } = await renderReport(documentOf({ rows }), legibility);
    const file = files.find((f) => f.name === 'xlsx:fr');
    const [about, sheet] = (await readWorkbook(Buffer.from(file?.content ?? '', 'base64'))) ?? [];
    expect([about?.name, about?.rows[0]?.map((c) => c?.value)]).toEqual(['Présentation', ['Champ', 'Valeur']]);
    expect(about?.rows.at(-1)?.[1]?.value).toBe('Lignes\u00a0: 1.');
    const asOf = about?.rows.find((r) => r[0]?.value === 'Arrêté au')?.[1]?.value;
    expect(asOf).toBe('2026-11-25 12:00:00 UTC, entrée du journal 7');
    expect(sheet?.rows[1]?.[3]?.value).toBe(-1_234_567.5);
    expect(sheet?.rows[1]?.[6]?.format).toBe('dd/mm/yyyy');
  });

  it('keeps every digit: 15 as a number, more as text', async () => {
    const amounts = [
      '999999999999999',
      '0.000000000000001',
      '9999999999999.99',
      '1234567890123456',
      '0.1234567890123456',
      '-10000000000000000.01',
    ];
    const rows = amounts.map((a) => ({ cells: [null, 'BTC', a, null, null, null, null, null] }));
    const sheet = (await workbookOf(documentOf({ rows })))?.[1];
    expect(sheet?.rows.slice(1).map((r) => r[3]?.value)).toEqual([
      ...[999_999_999_999_999, 1e-15, 9_999_999_999_999.99],
      ...['1234567890123456', '0.1234567890123456', '-10000000000000000.01'],
    ]);
  });

  it('runs no text as a formula, and holds any text', async () => {
    const texts = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      "'=1",
      '<b>&amp;"',
      'a\nb',
      ' edges ',
      'x'.repeat(40_000),
      '\u202eabc',
      '\u0001',
      '💶',
      '\ud800',
      '1e5',
      '',
    ];
    const rows = texts.map((w) => ({ cells: [null, null, null, null, null, null, null, w] }));
    const sheets = await workbookOf(documentOf({ rows }));
    const cells = sheets?.[1]?.rows.slice(1).map((r) => r[8]);
    expect(sheets?.flatMap((s) => s.rows.flat()).filter((c) => c?.isFormula)).toEqual([]);
    const read = cells?.map((c) => c?.value ?? '');
    expect(read?.slice(0, 4)).toEqual(['=1+1', '+1', '-1', '@SUM(A1)']);
    for (const i of [5, 6, 7, 8, 12, 14, 15]) expect(read?.[i], texts[i]).toBe(texts[i]);
    expect(String(read?.[9]).length).toBe(32_767);
    expect(read?.[10]).toBe('[U+202E]abc');
    expect(sheets?.[0]?.rows.find((r) => r[0]?.value === 'Fact')?.[1]?.value).toBe('=1+1');
  });

  it('names each sheet as a spreadsheet can: short, without its signs, none twice', async () => {
    const titles = ['A/B: [what]? *', 'Same', 'same', `${'long '.repeat(12)}`, `${'long '.repeat(12)}`, "''", 'About'];
    const sheets = await workbookOf(documentOf(...titles.map((title) => ({ title }))));
    const names = sheets?.map((s) => s.name) ?? [];
    expect(names).toHaveLength(8);
    expect(new Set(names.map((n) => n.toLowerCase())).size).toBe(8);
    for (const n of names) expect(n).toMatch(/^[^[\]:*?/\\']{1,31}$/);
  });

  it('is not made of a report that is too large for one', async () => {
    const cells = columns.map(() => null);
    const rows = Array.from({ length: mostSheetCells / columns.length + 1 }, () => ({ cells }));
    expect(await workbookOf(documentOf({ rows }))).toBeUndefined();
  });
});

describe('the workbook of a report', () => {
  let t: TestApp;
  let psp: Account;
  beforeAll(async () => {
    t = await makeTestApp();
    psp = await t.makePsp('=cmd()');
    const shop = await t.makeClient(psp, { registeredName: '+Lagos Books' });
    for (const [ref, totalAmount] of [
      ['a', 10_750.55],
      ['b', 1_075],
    ] as const) {
      const sale = { ref, totalAmount, currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 1 };
      expect((await t.post('/v1/transaction/verifyTransaction', sale, shop.apiKey)).status).toBe(200);
    }
    await totalled(t);
  });
  afterAll(() => t?.stop());

  it.each(['vatReturn', 'settlement', 'filing'])(
    '%s has every figure of its JSON, and the hash in the manifest',
    async (kind) => {
      const asked = {
        vatReturn: { period: '2026-11', countryCode: 'NG' },
        settlement: { period: '2026-11' },
        filing: { form: 'NG-VAT', period: '2026-11' },
      }[kind];
      const { reportId, links, manifest } = await made(t, { kind, ...asked }, psp.apiKey);
      const json = (await t.get(links.json, psp.apiKey)).body;
      const r = await fetch(`${t.address}${links.xlsx}`, { headers: { 'x-api-key': psp.apiKey } });
      const bytes = Buffer.from(await r.arrayBuffer());
      expect(r.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
      expect(r.headers.get('content-disposition')).toBe(`attachment; filename="${kind}-${reportId}.xlsx"`);
      const listed = manifest.files.find((f: { name: string }) => f.name === 'xlsx');
      expect(listed.bytes).toBe(bytes.length);
      expect(r.headers.get('repr-digest')).toBe(`sha-256=:${Buffer.from(listed.sha256, 'hex').toString('base64')}:`);
      const sheets = readWorkbook(bytes);
      expect(sheets).toHaveLength(json.sections.length + 1);
      let compared = 0;
      for (const [i, section] of json.sections.entries()) {
        const sheet = sheets[i + 1];
        expect(sheet?.rows).toHaveLength(section.rows.length + 1);
        // An account has two columns: its name, and its id.
        const place = new Map<string, number>();
        for (const { name } of section.columns)
          place.set(name, place.size + (place.has('clientId') || name === 'clientId' ? 1 : 0));
        for (const [n, row] of section.rows.entries())
          for (const column of section.columns) {
            const at = place.get(column.name) ?? -1;
            const cell = sheet?.rows[n + 1]?.[at];
            const text = row[column.name];
            compared++;
            if (text === null) expect(cell).toBeUndefined();
            else if (['count', 'money', 'decimal', 'percent'].includes(column.type))
              expect(cell?.value).toBe(Number(text));
            else if (column.type === 'date') expect(cell?.value).toBe(serial(`${text}T00:00:00Z`));
            else if (column.type === 'text') expect(cell?.value).toEqual(expect.any(String));
            expect(cell?.isFormula ?? false).toBe(false);
          }
      }
      expect(compared).toBeGreaterThan(20);
    },
  );

  it('is for those alone who may see the report', async () => {
    const { links } = await made(t, { kind: 'settlement', period: '2026-11' }, psp.apiKey);
    const stranger = await t.makePsp('Other');
    expect((await t.get(links.xlsx, stranger.apiKey)).status).toBe(404);
    expect((await t.get(links.xlsx)).status).toBe(401);
  });
});

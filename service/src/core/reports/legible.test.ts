// A report's page: ids become names, codes become words, amounts are padded; no figure loses digits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportDocument } from './document.ts';
import { legible, padded, words } from './legible.ts';
import { reportPage } from './page.ts';

const document: ReportDocument = {
  head: {
    reportId: 'rpt_1',
    kind: 'feeStatement',
    clientId: 'psp_1',
    parameters: {},
    revision: 1,
    asOf: { journalSeq: 1, time: '2026-11-22T00:00:00Z' },
    dataset: 'x',
  },
  content: {
    title: 'Fees',
    facts: [
      { name: 'payable', title: 'Tax to pay', value: 'NGN 41315.4' },
      { name: 'notConverted', title: 'In no box', value: 'BTC 0.00443413, JPY 1200, NGN 2.5' },
    ],
    provisional: false,
    sections: [
      {
        name: 'byClient',
        title: 'By client',
        columns: [
          { name: 'clientId', title: 'Client', type: 'text' },
          { name: 'currency', title: 'Currency', type: 'text' },
          { name: 'kind', title: 'Operation', type: 'text', coded: true },
          { name: 'fee', title: 'Fee', type: 'money' },
        ],
        rows: [
          { cells: ['cli_1', 'NGN', 'verifyTransaction', '135227.2'] },
          { cells: ['cli_1', 'BTC', 'cryptoDeposit', '0.0059'] },
          { cells: ['cli_2', 'JPY', 'withdrawal', '7'] },
          { cells: ['cli_2', 'JPY', 'recordCDR', '11'] },
        ],
        chart: { kind: 'bar', label: 'clientId', values: ['fee'] },
      },
    ],
  },
};
const names = new Map([['cli_1', 'Adunni <Fabrics>']]);
const decimals = new Map([
  ['NGN', 2],
  ['JPY', 0],
]);
const page = reportPage(legible(document, { kind: 'Fee statement', names, decimals }));

describe('the page of a report', () => {
  it('names accounts, puts codes in words and pads amounts to the decimals of their currency', () => {
    for (const text of [
      'Adunni &lt;Fabrics&gt;',
      'Fee statement',
      'Sale',
      'Crypto deposit',
      'Call record',
      '135,227.20',
      '0.0059',
      '>7<',
    ])
      expect(page).toContain(text);
    for (const text of ['>cli_1</td>', 'verifyTransaction', 'feeStatement']) expect(page).not.toContain(text);
    expect(page).toContain('<bdi>Adunni &lt;Fabrics&gt;</bdi><small>cli_1</small>');
    // An account whose name is unknown keeps its id.
    expect(page).toContain('cli_2');
  });

  it('keeps a name that is written from right to left from moving what follows it, and has its id on each sheet', () => {
    const name = 'شركة $& المدفوعات';
    const titled = { ...document, content: { ...document.content, title: `Fees of ${name}, 2026-11` } };
    const shown = legible(titled, { kind: 'Fee statement', names: new Map([['psp_1', name]]), decimals });
    expect(reportPage(shown)).toContain('<h1>Fees of <bdi>شركة $&amp; المدفوعات</bdi>, 2026-11</h1>');
    expect(reportPage(shown)).toContain('@bottom-left{content:"rpt_1"');
  });

  it('writes an amount among its facts as it writes those of its tables', () => {
    expect(page).toContain('<dt>Tax to pay</dt><dd>41,315.40 NGN</dd>');
    expect(page).toContain('<dt>In no box</dt><dd>0.00443413 BTC, 1,200 JPY, 2.50 NGN</dd>');
    expect(reportPage(legible(document, { kind: 'Fee statement', names, decimals }), 'fr')).toContain(
      '<dd>41\u202f315,40 NGN</dd>',
    );
  });

  it('draws one chart for each currency, never two currencies on one axis', () => {
    expect(page.match(/<figure class="chart">/g)).toHaveLength(3);
    expect([...page.matchAll(/<figcaption>([A-Z]{3})<\/figcaption>/g)].map((m) => m[1])).toEqual(['NGN', 'BTC', 'JPY']);
  });

  it('keeps the value of every amount', () => {
    const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.option(fc.bigInt({ min: 0n, max: 999999n })));
    fc.assert(
      fc.property(amount, fc.nat(8), ([whole, fraction], places) => {
        const text = fraction === null ? `${whole}` : `${whole}.${fraction}`;
        const shown = padded(text, places);
        expect(shown.startsWith(text)).toBe(true);
        expect(shown.slice(text.length)).toMatch(/^\.?0*$/);
        expect((shown.split('.')[1] ?? '').length).toBeGreaterThanOrEqual(places);
      }),
    );
  });

  it('leaves alone what is no code', () => {
    expect(['CHARGED_BACK', 'INTL_OUT', 'VOIP', 'crypto_exchange', 'PSP', 'NG-VAT-FEE-2020'].map(words)).toEqual([
      'Charged back',
      'International, out',
      'VoIP',
      'Crypto exchange',
      'PSP',
      'NG-VAT-FEE-2020',
    ]);
  });
});

it('names a tax in place of its code, in the language of the page', () => {
  const column = { name: 'taxCode', title: 'Tax code', type: 'text' } as const;
  const rows = ['VAT', 'STAMP_DUTY', 'ZZ_UNKNOWN'].map((code) => ({ cells: [code] }));
  const section = { name: 'due', title: 'Due', columns: [column], rows };
  const one = { ...document, content: { ...document.content, sections: [section] } };
  const taxes = (catalogue?: ReadonlyMap<string, string>) =>
    legible(one, {
      kind: 'x',
      names: new Map(),
      decimals: new Map(),
      ...(catalogue && { catalogue }),
    }).content.sections[0]?.rows.map((r) => r.cells[0]);
  expect(taxes()).toEqual(['VAT', 'Stamp duty', 'ZZ_UNKNOWN']);
  expect(taxes(new Map([['Stamp duty', 'Droit de timbre']]))).toEqual(['VAT', 'Droit de timbre', 'ZZ_UNKNOWN']);
});

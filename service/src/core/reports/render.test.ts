// Reports as JSON, CSV and pages: exact figures, and text that stays text whatever it contains.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownPlainly } from '../characters.ts';
import { mostCells, mostText, shapeProblem, sizeProblem } from './check.ts';
import { cellCsv, csvForms, displayedCsv, sectionCsv } from './csv.ts';
import type { ReportDocument, ReportSection } from './document.ts';
import { escapeHtml, figure } from './html.ts';
import { reportJson, sectionJson } from './json.ts';
import { mostPageRows, reportPage } from './page.ts';

const section = (over: Partial<ReportSection> = {}): ReportSection => ({
  name: 'lines',
  title: 'Lines',
  columns: [
    { name: 'client', title: 'Client', type: 'text' },
    { name: 'n', title: 'Records', type: 'count' },
    { name: 'amount', title: 'Amount', type: 'money' },
    { name: 'share', title: 'Share', type: 'percent' },
  ],
  rows: [
    { cells: ['Lagos Books', '3', '12345678901234567890.10', '12.5'], open: '/v1/transaction?type=deposit' },
    { cells: ['Ikeja', null, '-0.50', null] },
  ],
  ...over,
});
const document = (...sections: ReportSection[]): ReportDocument => ({
  head: {
    reportId: 'rpt_01h455vb4pex5vsknk084sn02q',
    kind: 'lines',
    clientId: 'psp_01h455vb4pex5vsknk084sn02q',
    parameters: { period: '2026-10' },
    revision: 2,
    asOf: { journalSeq: 7, time: '2026-11-21T10:00:00.000Z' },
    dataset: 'd1',
  },
  content: {
    title: 'Lines of a test',
    facts: [{ name: 'period', title: 'Period', value: '2026-10' }],
    provisional: true,
    sections,
  },
});
const joined = (pieces: Generator<string>) => [...pieces].join('');
const jsonOf = (d: ReportDocument) =>
  JSON.parse(
    reportJson(
      d,
      d.content.sections.map((s) => joined(sectionJson(s))),
    ),
  );
const problemOf = (d: ReportDocument) => {
  const steps = shapeProblem(d.content);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};
/** Any text, with characters special to HTML or CSV far more often than by chance. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...['<', '>', '"', "'", '`', '&', '=', '+', '-', '@', '\t', '\r', '\n', ',', ' ', '\0']),
        fc.constantFrom('<script>', '</style>', '-->', '&lt;', '" onload="', '<!--', ']]>', '\u202e', '＝', 'a'),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

describe('JSON', () => {
  it('has rows as objects, amounts as exact texts, counts as numbers and the way to each line', () => {
    const json = jsonOf(document(section()));
    expect(json).toMatchObject({ schemaVersion: 1, kind: 'lines', revision: 2, provisional: true });
    expect(json.sections[0].rows).toEqual([
      {
        client: 'Lagos Books',
        n: 3,
        amount: '12345678901234567890.10',
        share: '12.5',
        open: '/v1/transaction?type=deposit',
      },
      { client: 'Ikeja', n: null, amount: '-0.50', share: null },
    ]);
  });

  it('gives any text back as it was, over many pieces', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 1100 }), (texts) => {
        const rows = texts.map((t) => ({ cells: [t, null, null, null] }));
        const read = jsonOf(document(section({ rows }))).sections[0].rows as { client: string }[];
        expect(read.map((r) => r.client)).toEqual(texts);
      }),
      { numRuns: 30 },
    );
  });

  it('joins its pieces rightly at their borders', () => {
    for (const n of [0, 1, 499, 500, 501, 1000, 1001]) {
      const rows = Array.from({ length: n }, (_, i) => ({ cells: [`c${i}`, String(i), null, null] }));
      const [read] = jsonOf(document(section({ rows }))).sections;
      expect(read.rows.map((r: { n: number }) => r.n)).toEqual(rows.map((_, i) => i));
      expect(joined(sectionCsv(section({ rows }))).split('\r\n')).toHaveLength(n + 2);
    }
  });
});

describe('CSV for people', () => {
  const columns = [
    { name: 'clientId', title: 'Client', type: 'text' },
    { name: 'amount', title: 'Amount', type: 'money' },
    { name: 'at', title: 'Made', type: 'time' },
  ] as const;
  const cells = ['cli_1', '-1234.50', '2026-10-31T10:00:00.125Z'];
  const exact = section({ columns, rows: [{ cells }] });
  const shown = section({ columns, rows: [{ cells: ['Dakar, Shop', ...cells.slice(1)] }] });
  const made = (language: 'en' | 'fr') => joined(displayedCsv(exact, shown, language, (title) => `${title} id`));

  it('has titles as headings, names with their ids, moments that a spreadsheet reads, and the mark of UTF-8', () => {
    expect(made('en')).toBe(
      '\ufeffClient,Client id,Amount,Made (UTC)\r\n"Dakar, Shop",cli_1,-1234.50,2026-10-31 10:00:00\r\n',
    );
  });

  it('has semicolons and decimal commas in French, as spreadsheets in French read them', () => {
    expect(made('fr')).toBe(
      '\ufeffClient;Client id;Amount;Made (UTC)\r\nDakar, Shop;cli_1;-1234,50;2026-10-31 10:00:00\r\n',
    );
  });

  it('begins no formula behind a comma of a text, where a spreadsheet in English begins a cell', () => {
    expect(cellCsv('Dakar,=1+1', 'text', csvForms.fr)).toBe("Dakar,'=1+1");
    expect(cellCsv('=1+1;x', 'text', csvForms.fr)).toBe('"\'=1+1;x"');
  });
});

describe('CSV', () => {
  it('has the columns names first, lines that end in CRLF, and the way to each line last', () => {
    expect(joined(sectionCsv(section()))).toBe(
      'client,n,amount,share,open\r\nLagos Books,3,12345678901234567890.10,12.5,/v1/transaction?type=deposit\r\nIkeja,,-0.50,,\r\n',
    );
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '\u200b=1',
    '\ufeff=1',
    '＝1',
    '-',
    "=cmd|' /C calc'!A0",
  ])('guards %j, which a spreadsheet would run', (text) => {
    const [[cell]] = parse(`${cellCsv(text, 'text')}\r\n`, { bom: false }) as [[string]];
    expect(cell).toBe(`'${text}`);
  });

  it.each([
    ['Acme;=1+1;Ltd', "Acme;'=1+1;Ltd"],
    ['Acme; "=HYPERLINK(A1)"', `Acme;' "=HYPERLINK(A1)"`],
    ['=1;@A1', "'=1;'@A1"],
    ['open 9-17; closed on Sunday', 'open 9-17; closed on Sunday'],
  ])('guards %j, which a spreadsheet would run that separates cells by semicolons', (text, as) => {
    const line = `${cellCsv(text, 'text')},-1\r\n`;
    expect((parse(line) as string[][])[0]).toEqual([as, '-1']);
    const [cells] = parse(line, { delimiter: ';', relax_quotes: true, relax_column_count: true }) as [string[]];
    for (const cell of cells) expect(cell).not.toMatch(/^["\s]*[=+\-@]/);
  });

  it('writes out what would turn a cell round or steer the screen that shows it', () =>
    expect(cellCsv('Acme\u202e=1\u001b[2J', 'text')).toBe('Acme[U+202E]=1[U+001B][2J'));

  it('leaves figures alone: a negative amount stays a number', () => {
    for (const type of ['count', 'decimal', 'money', 'percent'] as const) expect(cellCsv('-12', type)).toBe('-12');
  });

  it('is read back by another reader as it was, but for the guard and what is written out', () => {
    const one = fc.array(fc.tuple(anyText, fc.option(fc.integer().map(String)), fc.option(fc.constant('-1.50'))), {
      minLength: 1,
    });
    fc.assert(
      fc.property(one, (lines) => {
        const rows = lines.map(([a, b, c]) => ({ cells: [a, b, c, null] }));
        const [, ...read] = parse(joined(sectionCsv(section({ rows }))), { record_delimiter: '\r\n' }) as string[][];
        expect(read).toHaveLength(rows.length);
        for (const [i, [text, count, amount]] of read.entries()) {
          const was = shownPlainly(String(rows[i]?.cells[0]).replaceAll('\0', '\ufffd'), true);
          const bare = (t = '') => t.replace(/^'/, '').replaceAll(";'", ';');
          expect(bare(text)).toBe(bare(was));
          expect(text).not.toMatch(/^\s*[=+\-@]/);
          expect(text).not.toMatch(/;[\s"]*[=+\-@]/);
          expect([count, amount]).toEqual([rows[i]?.cells[1] ?? '', rows[i]?.cells[2] ?? '']);
        }
      }),
    );
  });
});

describe('the page', () => {
  const chart = { kind: 'bar', label: 'client', values: ['n', 'amount'] } as const;
  const withTexts = (texts: readonly string[], kind: 'bar' | 'line' = 'bar'): string => {
    const [a, b, c, d, e, f] = texts as [string, string, string, string, string, string];
    const full = document(
      section({
        title: a,
        note: b,
        columns: section().columns.map((x) => ({ ...x, title: c })),
        rows: [{ cells: [d, '1', '2', null] }, { cells: [e, '2', '-1', null] }],
        chart: { ...chart, kind },
      }),
    );
    const facts = [{ name: 'a', title: f, value: a }];
    return reportPage({ head: { ...full.head, dataset: b }, content: { ...full.content, title: c, facts } });
  };
  /** The page's tags only, without the text of their attributes. */
  const tags = (page: string) =>
    (page.match(/<[^<>]*>/g) ?? [])
      // A break opportunity in a long word.
      .filter((t) => t !== '<wbr>')
      .map((t) => t.replace(/data-title="[^"]*"/, 'data-title'));

  it('has the same tags whatever its texts say: none breaks out', () => {
    const tame = { bar: tags(withTexts(Array(6).fill('x'))), line: tags(withTexts(Array(6).fill('x'), 'line')) };
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 6, maxLength: 6 }), fc.constantFrom('bar', 'line'), (texts, kind) => {
        const page = withTexts(texts, kind);
        expect(tags(page)).toEqual(tame[kind]);
        expect(page.replace(/<style>[^<]*<\/style>/, '').replace(/<[^<>]*>/g, '')).not.toMatch(/[<>"'`\0\u202e]/);
      }),
    );
  });

  it('runs nothing and needs nothing beside itself', () => {
    const page = reportPage(document(section({ chart }), section({ name: 'more', chart: { ...chart, kind: 'line' } })));
    expect(page).not.toMatch(/<script|<iframe|<img|<object| on\w+=| style=|url\(|@import|https?:/i);
    expect([...page.matchAll(/(?:href|src)="([^"]*)"/g)].map((m) => m[1])).toEqual(['data:,']);
  });

  it('shows every digit in groups, and what is not there as a dash', () => {
    expect(figure('-12345678901234567890.10', 'money')).toBe('−12,345,678,901,234,567,890.10');
    expect([figure('1000', 'count'), figure('999', 'count'), figure('0.1234567', 'decimal')]).toEqual([
      '1,000',
      '999',
      '0.1234567',
    ]);
    expect([figure('12.5', 'percent'), figure(null, 'money')]).toEqual(['12.5%', '<span class="none">–</span>']);
    expect(figure('2026-11-21T10:00:00.123Z', 'time')).toBe('2026-11-21 10:00:00 UTC');
    expect(figure(`a<b ${'x'.repeat(25)}`, 'text')).toBe('a&lt;b xxxxxxxxxx<wbr>xxxxxxxxxx<wbr>xxxxx');
    expect(escapeHtml('<a href="x">&\'`')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&#39;&#96;');
  });

  it('has no two bars of one name where a column makes them differ', () => {
    const columns = [
      { name: 'client', title: 'Rule', type: 'text' },
      { name: 'country', title: 'Country', type: 'text' },
      { name: 'operation', title: 'Operation', type: 'text' },
      { name: 'amount', title: 'Tax', type: 'money' },
    ] as const;
    const rows = [
      ['FEE', 'NG', 'Sale', '1'],
      ['FEE', 'NG', 'Deposit', '2'],
      ['BOOKS', 'NG', 'Sale', '3'],
    ].map((cells) => ({ cells }));
    const drawn = (of: typeof rows) => {
      const page = reportPage(document(section({ columns, rows: of, chart: { ...chart, values: ['amount'] } })));
      const all = page.match(/<dl class="bars">.*?<\/dl>/s)?.[0] ?? '';
      return [...all.matchAll(/<dt>([^<]*)<\/dt>/g)].map((m) => m[1]);
    };
    expect(drawn(rows)).toEqual(['FEE, Sale', 'FEE, Deposit', 'BOOKS, Sale']);
    expect(drawn(rows.slice(1))).toEqual(['FEE', 'BOOKS']);
    expect(drawn([rows[0], rows[0]] as typeof rows)).toEqual(['FEE', 'FEE']);
  });

  it('names the bars of accounts, though their names stand in place of their ids', () => {
    const columns = [
      { name: 'clientId', title: 'Account', type: 'text' },
      { name: 'client', title: 'Operator', type: 'text' },
      { name: 'n', title: 'Records', type: 'count' },
    ] as const;
    const rows = [
      { cells: ['Lagos Books', 'Lagos Books', '3'], ids: new Map([[0, 'cli_01h455vb4pex5vsknk084sn02q']]) },
    ];
    const page = reportPage(document(section({ columns, rows, chart: { ...chart, values: ['n'] } })));
    expect(page).toContain('<dt>Lagos Books</dt>');
    expect(page).not.toContain('Operator');
  });

  it('cuts long sections and says so', () => {
    const rows = Array.from({ length: mostPageRows + 5 }, (_, i) => ({ cells: [`row ${i}`, '1', '1', '1'] }));
    const page = reportPage(document(section({ rows })));
    expect(page.match(/<tr>/g)).toHaveLength(mostPageRows + 1);
    expect(page).toContain('The first 2,000 rows; 5 more are in the CSV and the JSON of this report.');
  });

  it('says that figures may change while the period is open, and draws nothing of nothing', () => {
    const page = reportPage(document(section({ chart, rows: [] })));
    expect(page).toContain('Provisional.');
    expect(page).toContain('Nothing to show.');
    expect(page).not.toContain('<figure');
  });
});

describe('the shape of a report', () => {
  const cell = (cells: readonly (string | null)[]) => section({ rows: [{ cells }] });
  it.each([
    ['no section', document(), 'it has no section'],
    ['a section twice', document(section(), section()), 'two sections have the same name'],
    [
      'a name that is no name',
      document(section({ name: 'a"b' })),
      `the section 'a"b' has a name that is not camelCase`,
    ],
    ['no columns', document(section({ columns: [] })), "the section 'lines' has no columns"],
    ['a binary rest', document(cell(['a', '1', '0.1e5', null])), "the section 'lines' has no money in row 1, 'amount'"],
    ['part of a count', document(cell(['a', '1.5', null, null])), "the section 'lines' has no count in row 1, 'n'"],
    ['a cell too few', document(cell(['a', '1', null])), "the section 'lines' has 3 cells in row 1"],
    [
      'a way elsewhere',
      document(section({ rows: [{ cells: ['a', null, null, null], open: '//evil.example' }] })),
      "the section 'lines' opens row 1 outside of the interface",
    ],
    [
      'a chart of nothing',
      document(section({ chart: { kind: 'bar', label: 'client', values: ['x'] } })),
      "the section 'lines' draws the column 'x', which it does not have",
    ],
  ])('is refused with %s', (_, d, problem) => {
    expect(problemOf(d)).toBe(problem);
  });

  it('is sound otherwise', () => {
    expect(problemOf(document(section(), section({ name: 'other' })))).toBeUndefined();
  });

  it('is bounded in cells and in characters, with a sentence that says what to do', () => {
    const row = { cells: ['x', '1', '1', '1'] };
    const sized = (rows: ReportSection['rows']) => sizeProblem(document(section({ rows })).content)?.toString();
    expect(sized(Array(mostCells / 4).fill(row))).toBeUndefined();
    expect(sized(Array(mostCells / 4 + 1).fill(row))).toMatch(/too large: 1500004 cells; .* Ask for a shorter period/);
    const long = { cells: ['x'.repeat(1 << 20), null, null, null] };
    expect(sized(Array(mostText / (1 << 20) + 1).fill(long))).toMatch(/too large: \d+ characters/);
  });
});

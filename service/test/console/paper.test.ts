// Every kind of report on paper and on screen: printed to A4 nothing is wider than its page and no figure is broken, no
// account stands as a bare id and no operation as a code, and the pages are numbered.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellType, ReportDocument } from '../../src/core/reports/document.ts';
import { legible } from '../../src/core/reports/legible.ts';
import { reportPage } from '../../src/core/reports/page.ts';
import { reportKinds } from '../../src/modules/reports/index.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { contentOf } from '../support/guarantees.ts';
import { blankPage, keepPicture, type Page } from '../support/paper.ts';
import { made } from '../support/reports.ts';
import { live, makeCast, totalled } from '../totals/life.ts';

const given: Readonly<Record<string, string>> = {
  period: '2026-11',
  countryCode: 'NG',
  quarter: '2026-Q4',
  memberState: 'DE',
  form: 'NG-VAT',
  from: '2026-11-01',
  to: '2026-11-30',
};
const kinds = reportKinds.filter((k) => k.audience.includes('psp'));
/** Text width in CSS pixels of an A4 page as the style has its margins: 182 mm upright, 273 mm in landscape. */
const upright = Math.floor((182 / 25.4) * 96);
const landscape = Math.floor((273 / 25.4) * 96);

let t: TestApp;
let psp: Account;
let names: Map<string, string>;
let page: Page;

beforeAll(async () => {
  t = await makeTestApp();
  const cast = await makeCast(t);
  psp = cast.psp;
  await live(t, cast, 11, 160);
  const operator = await t.makeClient(psp, { registeredName: 'Harbour Mobile and Fixed Communications Ltd' });
  const calls = Array.from({ length: 12 }, (_, n) =>
    cdrRow(n, { call_start_time: '2026-11-20T09:00:00Z', call_end_time: '2026-11-20T09:02:00Z', timestamp: '' }),
  );
  drop(dataDirOf(t), operator, 'november.csv', cdrText(...calls));
  contentOf(await t.post('/v1/telecom/pickUp', {}, operator.apiKey));
  await until(
    'the file is taken in',
    async () => (await t.database.admin.query('SELECT 1 FROM cdrs LIMIT 1')).length > 0,
  );
  await analysed(t, psp);
  await totalled(t);
  const rows = await t.database.admin.query<{ name: string }>('SELECT name FROM accounts WHERE psp_id = $1', [
    psp.uuid,
  ]);
  names = new Map(rows.map((r) => [r.name, r.name]));
  page = await blankPage();
});
afterAll(async () => {
  await page?.context().close();
  await t?.stop();
});

/** A cell as wide as such cells become: long names, amounts in millions of millions. */
const widest: Record<CellType, string> = {
  text: 'Société Générale de Paiements et Fils',
  count: '1234567',
  decimal: '-1234567.123456',
  money: '-98765432109.87',
  percent: '12.3456',
  date: '2026-11-30',
  time: '2026-11-30T23:59:59Z',
};

// biome-ignore lint/suspicious/noExplicitAny: the JSON document of any kind
function withWidestRow(json: any): ReportDocument {
  const { title, facts, provisional, ...head } = json;
  const sections = json.sections.map((s: ReportDocument['content']['sections'][number]) => {
    const columns = s.columns;
    const cells = columns.map((c) => {
      if (c.name === 'clientId') return psp.id;
      return c.name === 'currency' ? 'NGN' : widest[c.type];
    });
    return { ...s, columns, rows: [{ cells }] };
  });
  return { head, content: { title, facts, provisional, sections } };
}

interface Found {
  readonly wide: readonly string[];
  readonly broken: readonly string[];
}

/** What is wider than the page or the window, and figures that run over more than one line. */
async function measured(width: number, media: 'print' | 'screen', sections: string): Promise<Found> {
  await page.emulateMedia({ media });
  await page.setViewportSize({ width, height: 1000 });
  return await page.evaluate<Found>(`(() => {
    const wide = [], broken = [];
    for (const s of document.querySelectorAll(${JSON.stringify(sections)}))
      for (const e of s.querySelectorAll('*')) {
        const head = e.closest('thead');
        // On narrow screens the headings are for screen readers only.
        if (e.closest('svg') || (head && getComputedStyle(head).position === 'absolute')) continue;
        const r = e.getBoundingClientRect();
        if (r.width > 1 && (r.right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'))
          wide.push(s.id + ': ' + e.tagName + ' ' + e.textContent.slice(0, 40));
        if (e.matches('td.n') && e.firstChild) {
          const range = document.createRange();
          range.selectNodeContents(e);
          if (new Set([...range.getClientRects()].map((x) => Math.round(x.top))).size > 1) broken.push(s.id + ': ' + e.textContent);
        }
      }
    return { wide, broken };
  })()`);
}

const nothing: Found = { wide: [], broken: [] };

describe.each(kinds.map((k) => [k.name, k] as const))('the report %s', (kind, k) => {
  let html: string;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON document of any kind
  let json: any;
  beforeAll(async () => {
    const parameters = Object.fromEntries((k.parameters.required ?? []).map((name) => [name, given[name]]));
    const report = await made(t, { kind, ...parameters }, psp.apiKey);
    expect([report.reason, report.state]).toEqual([null, 'DONE']);
    html = (await t.get(report.links.page, psp.apiKey)).text;
    json = (await t.get(report.links.json, psp.apiKey)).body;
  });

  it('fits the page and the screen, with the widest cells as well', async () => {
    const legibility = { kind: k.title, names: new Map([[psp.id, widest.text]]), decimals: new Map([['NGN', 2]]) };
    for (const [what, content] of [
      ['as made', html],
      ['at its widest', reportPage(legible(withWidestRow(json), legibility))],
    ] as const) {
      await page.setContent(content);
      expect(await measured(upright, 'print', 'header, section:not(.broad), footer'), `${what}, upright`).toEqual(
        nothing,
      );
      expect(await measured(landscape, 'print', 'section.broad'), `${what}, landscape`).toEqual(nothing);
      for (const width of [1440, 1280, 390]) {
        const { wide } = await measured(width, 'screen', 'body');
        expect(wide, `${what} at ${width}`).toEqual([]);
      }
    }
  });

  it('is printed on A4, upright or in landscape', async () => {
    await page.setContent(html);
    await page.emulateMedia({ media: 'print' });
    const bytes = await page.pdf({ preferCSSPageSize: true });
    keepPicture(`${kind}.pdf`, bytes);
    const pdf = bytes.toString('latin1');
    const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map((m) => m.slice(1).map(Number));
    expect(boxes.length).toBeGreaterThan(0);
    for (const [a = 0, b = 0] of boxes) {
      expect(Math.min(a, b)).toBeCloseTo(595, -1);
      expect(Math.max(a, b)).toBeCloseTo(842, -1);
    }
    // 9 pt are 12 pixels: page-width.ts reckons with no larger type.
    const sizes = await page.evaluate<number[]>(
      `[...document.querySelectorAll('td, th')].map((e) => parseFloat(getComputedStyle(e).fontSize))`,
    );
    expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(12);
    const hasBroad = html.includes('class="broad');
    expect(boxes.every(([a = 0, b = 0]) => a > b)).toBe(hasBroad);
  });

  it('says for whom it is, and shows names and words in place of ids and codes', async () => {
    await page.setContent(html);
    const texts = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('td, dd, dt, h1, h2, figcaption')].map((e) => {
      const copy = e.cloneNode(true);
      for (const x of copy.querySelectorAll('small, code, svg')) x.remove();
      return copy.textContent.trim();
    })`);
    expect(texts.filter((x) => /\b(psp|cli)_[0-9a-z]{26}\b/.test(x))).toEqual([]);
    expect(texts.filter((x) => /^[a-z]+([A-Z][a-z]+)+$/.test(x) || /^[A-Za-z]+(_[A-Za-z]+)+$/.test(x))).toEqual([]);
    const head = await page.locator('header').innerText();
    expect([...names.keys()].some((name) => head.includes(name))).toBe(true);
    expect(head).toMatch(/Provisional|Final/);
    expect(head).not.toMatch(/[0-9a-f]{32}/);
  });
});

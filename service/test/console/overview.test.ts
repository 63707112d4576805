// The overview as a person sees it: traded amounts, items that need attention, and how much data a first visit loads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumOf } from '../../src/core/sums.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { faultless, noteAt, resize, settled } from '../support/look.ts';
import { made } from '../support/reports.ts';
import { subscribe } from '../support/webhooks.ts';
import { numbersOf, totalled } from '../totals/life.ts';

let site: Site;
let psp: Account;
let staff: Person;

const days = 12;
const dayMs = 86_400_000;
const places = [
  { currency: 'NGN', countryCode: 'NG' },
  { currency: 'NGN', countryCode: 'NG' },
  { currency: 'NGN', countryCode: 'NG' },
  { currency: 'KES', countryCode: 'KE' },
  { currency: 'NGN', countryCode: 'GH' },
];

/** Some days of sales, a few of them by a client that is suspended. */
async function trade(): Promise<void> {
  const { test, operator } = site;
  const shops = [await test.makeClient(psp), await test.makeClient(psp, { registeredName: 'Abuja Tea House' })];
  const closed = await test.makeClient(psp, { registeredName: 'Night Market Ltd' });
  const n = numbersOf(7);
  const put = `/v1/admin/account/${closed.id}/standing`;
  const suspended = await test.post(
    put,
    { operationalStanding: 'SUSPENDED', reason: 'papers expired' },
    operator.apiKey,
  );
  expect(suspended.status, suspended.text).toBe(200);
  for (let day = 0; day < days; day++) {
    const sales = Array.from({ length: 3 + n(9) }, (_, i) => {
      const by = n(6) === 0 ? closed : (shops[n(2)] as Account);
      const body = {
        ref: `sale-${day}-${i}`,
        totalAmount: (100_000 + n(9_000_000)) / 100,
        paymentMethods: {},
        transactionFee: n(3),
        ...(places[n(places.length)] as (typeof places)[number]),
      };
      return test.post('/v1/transaction/verifyTransaction', body, by.apiKey);
    });
    for (const sale of await Promise.all(sales)) expect(sale.status, sale.text).toBe(200);
    if (day < days - 1) test.advance(dayMs);
  }
  await totalled(test);
}

beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Lagos Pay', 'NG');
  await trade();
  staff = await site.makePerson({ name: 'Ada Okafor' });
});
afterAll(() => site?.stop());

/** Contrast of bars, edges of fields and placeholders with what is behind each, as WCAG defines it. */
const contrasts = `(() => {
  const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const over = (...colours) => {
    paint.clearRect(0, 0, 1, 1);
    for (const c of colours) { paint.fillStyle = c; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const behind = (e) => e ? [...behind(e.parentElement), getComputedStyle(e).backgroundColor] : ['white'];
  const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0.05);
  const contrast = (colour, e) => {
    const [a, b] = [light(over(...behind(e), colour)), light(over(...behind(e)))];
    return Math.max(a, b) / Math.min(a, b);
  };
  const all = (what, measure) => [...document.querySelectorAll(what)].map(measure);
  return {
    bars: all('.recharts-bar-rectangle path', (e) => contrast(getComputedStyle(e).fill, e.closest('svg').parentElement)),
    edges: all('input', (e) => contrast(getComputedStyle(e).borderTopColor, e.parentElement)),
    hints: all('input[placeholder]', (e) => contrast(getComputedStyle(e, '::placeholder').color, e)),
  };
})()`;

const choose = () => ({ choose: { id: psp.id, name: 'Lagos Pay' } });

describe('the overview', () => {
  it('shows an operator all PSPs, and the one that is chosen', async () => {
    const page = await site.openAs(staff, '/');
    await page.getByText('All PSPs ·').waitFor();
    await page.getByRole('combobox', { name: 'PSP whose records are shown' }).click();
    await page.getByRole('option', { name: 'Lagos Pay' }).click();
    await page.getByText('Lagos Pay ·').waitFor();
    await page.reload();
    await page.getByText('Lagos Pay ·').waitFor();
  });

  it('says what the service says, to the last digit', async () => {
    const { test } = site;
    const said = await test.get('/v1/overview?days=30', psp.apiKey);
    const line = said.body.content.amounts.find((a: { currency: string }) => a.currency === 'NGN');
    const figure = (name: string) => new RegExp(`"currency":"NGN"[^}]*?"${name}":([\\d.]+)`).exec(said.text)?.[1];
    const tax = sumOf([figure('vat'), figure('transactionVat')].map(String));
    const page = await site.openAs(staff, '/', choose());
    await page.getByRole('heading', { name: 'Tax and fees by day, NGN' }).waitFor();
    const shown = await page.locator('main').innerText();
    const [whole, fraction = ''] = tax.split('.');
    expect(shown).toContain(`${Number(whole).toLocaleString('en')}.${fraction.padEnd(2, '0')}`);
    expect(shown).toContain(String(said.body.content.counts.declined));
    expect(line.approved).toBeGreaterThan(10);
    expect(Number(figure('transactionVat'))).toBeGreaterThan(0);
  });

  it('says under the pointer what the bar there is, also where a year begins and ends on the same day', async () => {
    const page = await site.openAs(staff, '/?days=366', choose());
    const chart = page.getByRole('figure', { name: 'Approvals and declines by day' });
    const [first, last] = [chart.locator('tbody tr').first(), chart.locator('tbody tr').last()];
    const today = await last.locator('th').innerText();
    expect(today).toMatch(/ 20\d\d$/);
    expect(today).not.toBe(await first.locator('th').innerText());
    const note = await noteAt(page, chart, 1);
    await note.getByText(today).waitFor();
    expect(await last.locator('td').first().innerText()).not.toBe('0');
    await note.getByText(await last.locator('td').first().innerText(), { exact: true }).waitFor();
  });

  it('follows what happens without being loaded again', async () => {
    const page = await site.openAs(staff, '/', choose());
    const recent = page.getByText(/\d+ approved ·\s\d+ declined/);
    const before = await recent.innerText();
    const client = await site.test.makeClient(psp);
    const sale = { ref: 'just-now', totalAmount: 10, paymentMethods: {}, transactionFee: 0, ...places[0] };
    await site.test.post('/v1/transaction/verifyTransaction', sale, client.apiKey);
    await until('the new sale is counted', async () => (await recent.innerText()) !== before);
  });

  it('is read at both widths and in both schemes, without faults of accessibility', async () => {
    await site.look(await site.openAs(staff, '/', choose()), 'overview');
  });

  it('has fields and bars that stand out from what is behind them in both schemes', async () => {
    const page = await site.openAs(staff, '/', choose());
    await page.getByRole('heading', { name: 'Tax and fees by day, NGN' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
      const seen = await page.evaluate<{ bars: number[]; edges: number[]; hints: number[] }>(contrasts);
      // WCAG 2.2, 1.4.11 and 1.4.3; axe computes neither for these.
      expect(Math.min(...seen.bars), `bars, ${colorScheme}`).toBeGreaterThanOrEqual(3);
      expect(Math.min(...seen.edges), `edges of fields, ${colorScheme}`).toBeGreaterThanOrEqual(3);
      expect(Math.min(...seen.hints), `placeholders, ${colorScheme}`).toBeGreaterThanOrEqual(4.5);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it("keeps every figure within its card, however wide the reader's typeface is", async () => {
    const page = await site.openAs(staff, '/', choose());
    // As wide as DejaVu Sans, the widest of the usual typefaces.
    await page.addStyleTag({
      content: 'body, body * { font-family: monospace !important; letter-spacing: 0.06em !important; }',
    });
    for (const width of [390, 1280, 1366, 1440]) {
      await resize(page, width);
      const out = await page.evaluate<string[]>(`[...document.querySelectorAll('[data-figure]')]
        .filter((f) => f.scrollWidth > f.clientWidth + 1).map((f) => f.textContent)`);
      expect(out, `${width} px`).toEqual([]);
    }
    await expect.poll(() => page.locator('[data-figure]').count()).toBe(5);
  });

  it('has axes that are read where amounts are a small part of one, as those of crypto assets', async () => {
    const page = await site.openAs(staff, '/transactions', choose());
    await page.route('**/v1/overview*', async (route) => {
      const response = await route.fetch();
      const small = (await response.text()).replaceAll(/"(vat|transactionVat|processingFee)":[\d.]+/g, '"$1":0.00046');
      await route.fulfill({ response, body: small });
    });
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    const chart = page.getByRole('figure', { name: 'Tax and processing fees by day' });
    // Marks are drawn in a layer of their own.
    const axis = chart.locator('.recharts-yAxis-tick-labels .recharts-cartesian-axis-tick-value');
    await axis.first().waitFor();
    const marks = await axis.allTextContents();
    expect(marks.length).toBeGreaterThan(2);
    expect(new Set(marks).size, marks.join(' ')).toBe(marks.length);
  });

  it('says that nothing was there where nothing was', async () => {
    const nobody = await site.test.makePsp('Quiet Pay', 'KE');
    const page = await site.openAs(await site.makePerson({ psp: nobody }), '/');
    await page.getByText('No amounts in this period').waitFor();
    await page.getByText('Nothing waits').waitFor();
    await site.look(page, 'overview-empty');
  });

  it('opens a figure to its rows', async () => {
    const page = await site.openAs(staff, '/', choose());
    await page.getByRole('link', { name: 'Declined' }).click();
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
    await settled(page);
    expect(page.url()).toContain('status=DECLINED');
    const shown = await page.getByRole('region', { name: 'Transactions' }).getByRole('row').count();
    const said = await site.test.get('/v1/overview?days=30', psp.apiKey);
    expect(shown - 1).toBe(said.body.content.counts.declined);
  });

  it('leads staff from a figure over all PSPs to those at which it waits, and to the page of one', async () => {
    const { admin } = site.test.database;
    await subscribe(site.test, await site.test.makeClient(psp));
    const state = (now: string) => admin.query('UPDATE webhooks SET state = $2 WHERE psp_id = $1', [psp.uuid, now]);
    await state('DISABLED');
    const page = await site.openAs(staff, '/');
    await page.getByRole('link', { name: 'webhook is disabled' }).click();
    await page.getByRole('heading', { level: 1, name: 'Disabled webhooks' }).waitFor();
    await page.getByRole('row', { name: 'Lagos Pay 1' }).waitFor();
    await site.look(page, 'waiting');
    await page.getByRole('link', { name: 'Lagos Pay' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(page.url()).toContain(`/p/${psp.id}/webhooks`);
    await state('DELETED');
  });

  it('has no motion without end while it loads, for who asks the system for less', async () => {
    const page = await site.openAs(staff, '/transactions', choose());
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/overview*', (route) => asked.then(() => route.continue()));
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    const outline = page.locator('main [aria-busy="true"]').first();
    await outline.waitFor();
    const endless =
      'document.getAnimations().filter((a) => a.effect.getComputedTiming().iterations === Infinity).length';
    expect(await page.evaluate(endless)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate(endless)).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    answer();
    await outline.waitFor({ state: 'hidden' });
  });

  it('opens its navigation as a drawer where there is little room', async () => {
    const page = await site.openAs(staff, '/', { ...choose(), width: 390 });
    await faultless(page, 'the narrow overview');
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Transactions' }).waitFor();
    await faultless(page, 'the open drawer');
    await page.getByRole('dialog').getByRole('link', { name: 'Transactions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});

describe('a first visit', () => {
  it('loads at most 350 KB up to the overview', async () => {
    const page = await site.open('/', { unvisited: true });
    const asked = new Set<string>();
    page.on('request', (r) => {
      if (r.url().includes('/console')) asked.add(new URL(r.url()).pathname);
    });
    await page.reload();
    await page.getByLabel('E-mail').fill(staff.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(staff.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Last 15 minutes' }).waitFor();
    await page.locator('figure svg').first().waitFor();
    const sizes = [...asked].map(async (path) => {
      const file = await site.test.raw(path, { headers: { 'accept-encoding': 'br' } });
      return Number(file.headers.get('content-length'));
    });
    const loaded = (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
    expect(loaded).toBeGreaterThan(50_000);
    expect(loaded).toBeLessThanOrEqual(350 * 1024);
  });
});

describe('a figure of days of two countries, which begin an hour apart', () => {
  it('opens to as many rows as it says, also at the edge of its first day', async () => {
    const { test } = site;
    const psp = await test.makePsp('Edge Pay', 'NG');
    const shop = await test.makeClient(psp, { registeredName: 'Midnight Shop' });
    // Half past midnight in Lagos.
    test.advance(Date.parse(`${new Date(test.now()).toISOString().slice(0, 10)}T23:30:00Z`) - test.now() + dayMs);
    const sell = async (ref: string, place: object) => {
      const body = { ref, totalAmount: 100, paymentMethods: {}, transactionFee: 0, ...place };
      const sale = await test.post('/v1/transaction/verifyTransaction', body, shop.apiKey);
      expect(sale.status, sale.text).toBe(200);
    };
    const inGhana = { currency: 'GHS', countryCode: 'GH' };
    await sell('midnight', { currency: 'NGN', countryCode: 'NG' });
    await sell('the-evening-before', inGhana);
    test.advance(3_600_000);
    await sell('morning', inGhana);
    await totalled(test);
    test.advance(29 * dayMs);
    const late = await site.makePerson({ name: 'Bola Ade', psp });
    const approved = async (page: Page) => {
      await page.getByRole('link', { name: 'Approved', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
      await settled(page);
      await page.getByRole('link', { name: 'midnight' }).waitFor();
      await page.getByRole('link', { name: 'morning' }).waitFor();
      await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(3);
    };
    const page = await site.openAs(late, '/');
    await page.getByText('100.0% of those decided').waitFor();
    await approved(page);
    await site.go(page, `/clients/${shop.id}`);
    await approved(page);
    const day = new Date(test.now() - 29 * dayMs + 3_600_000).toISOString().slice(0, 10);
    const { content } = (await test.get(`/v1/settlement/statement?dayFrom=${day}&dayTo=${day}`, psp.apiKey)).body;
    for (const [countryCode, timeZone] of [
      ['NG', 'Africa/Lagos'],
      ['GH', 'Africa/Accra'],
    ])
      expect(content.items).toContainEqual(expect.objectContaining({ countryCode, timeZone, approved: 1 }));
    const vatReturn = await made(
      test,
      { kind: 'vatReturn', period: new Date(Date.parse(day) + dayMs).toISOString().slice(0, 7), countryCode: 'NG' },
      psp.apiKey,
    );
    const { sections } = (await test.get(`/v1/report/${vatReturn.reportId}/json`, psp.apiKey)).body;
    const byRule = sections.find((s: { name: string }) => s.name === 'byRule');
    const due = sumOf(byRule.rows.map((r: { taxDue: string }) => String(r.taxDue)));
    await site.go(page, '/?currency=NGN');
    await page.locator('[data-figure]').getByText(due, { exact: true }).waitFor();
  });
});

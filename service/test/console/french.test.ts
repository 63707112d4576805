// The console in French: chosen by a person, kept, on every main page without a text of ours in English, and left again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOfWorker, openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { inEnglish, inFrench, shown } from '../support/french.ts';
import { placeHold } from '../support/guarantees.ts';
import { quiet, resize, settled } from '../support/look.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ada: Person;
let transactionId: string;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  ada = await site.makePerson({ name: 'Ada Okafor' });
  const sale = { totalAmount: 1234567.89, paymentMethods: { card: 1234000 }, mcc: '5732' };
  transactionId = await records.sale({ ref: 'facture-2026-0042', ...sale });
  await records.basket();
  await records.wager('pari-1');
  await records.payout('gain-1', 'pari-1');
  await placeHold(site.test, records.client, { code: 'AML_REVIEW', blocking: true });
});
afterAll(() => site?.stop());

/** Controls whose words do not fit in them. */
const cut = (page: Page) =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll('button, button *, [role="tab"], [role="tab"] *, nav a, nav a *')]
    .filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 2 && getComputedStyle(e).overflowX === 'hidden')
    .concat([...document.querySelectorAll('main button')].filter((e) => {
      for (let up = e.parentElement; up; up = up.parentElement) if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return false;
      return e.getBoundingClientRect().right > innerWidth - 13;
    }))
    .map((e) => e.textContent)`);

const paths = [
  ...['/', '/transactions', '/baskets', '/gaming', '/gaming/payouts', '/players', '/clients', '/webhooks', '/find'],
  ...['/cdr', '/cdr/analysis', '/cdr/periods', '/cdr/declarations', '/cdr/logins', '/reports', '/reports/new'],
  ...['/reports/schedules', '/returns', '/returns/filed', '/returns/forms', '/settlement', '/settlement/outstanding'],
  ...['/rates', '/rates?tab=fees', '/rates?tab=proposals', '/rates?tab=exchange', '/rates?tab=changes', '/cases'],
  ...[
    '/reviews',
    '/lists',
    '/lists?tab=matches',
    '/lists?tab=search',
    '/risk',
    '/audit',
    '/people',
    '/keys',
    '/security',
  ],
  ...['/approvals', '/keys?tab=requests', '/nothing-here', '/go/no-id'],
];

describe('French', () => {
  it('is chosen at the sign-in, kept, and left again in the menu', async () => {
    const page = await site.open('/');
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe('en');
    await page.getByRole('button', { name: 'Français' }).click();
    await page.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor();
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe('fr');
    expect((await shown(page)).filter(inEnglish)).toEqual([]);
    await page.getByLabel('E-mail').fill(ada.email);
    await page.getByRole('textbox', { name: 'Mot de passe' }).fill(ada.password);
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await page.getByRole('heading', { level: 1, name: 'Vue d’ensemble' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Vue d’ensemble' }).waitFor();
    await page.getByRole('button', { name: /menu du compte/ }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe('en');
  });

  it('is what a browser gets that prefers it, and nobody else', async () => {
    for (const [locale, lang] of [
      ['fr-SN', 'fr'],
      ['de-DE', 'en'],
    ] as const) {
      const context = await (await browserOfWorker()).newContext({ locale, baseURL: site.test.address });
      const page = await context.newPage();
      await page.goto('/console');
      await settled(page);
      await expect.poll(() => page.getAttribute('html', 'lang')).toBe(lang);
      await context.close();
    }
  });

  it('is on every main page, without a text of ours in English and without a control that is cut, and looks well', async () => {
    const client = `/clients/${records.client.id}`;
    const looked = ['/', '/transactions', `/transactions/${transactionId}`, client];
    const page = await site.openAs(ada, '/', { choose: { id: records.psp.id, name: records.pspName } });
    await inFrench(page);
    const wrong: string[] = [];
    const atWidth = {
      async 1280(path: string) {
        await resize(page, 1280);
        for (const text of (await shown(page)).filter(inEnglish)) wrong.push(`${path}: ${text}`);
        if (looked.includes(path) || process.env.SCREENSHOTS)
          await site.look(page, `fr${path.replace(/\W+/g, '-').slice(0, 30)}`);
      },
      async 390(path: string) {
        await resize(page, 390);
        await expect.poll(() => cut(page), { timeout: 60_000, message: `cut on ${path}` }).toEqual([]);
      },
    };
    let widths: (keyof typeof atWidth)[] = [1280, 390];
    for (const path of [...paths, `/transactions/${transactionId}`, client]) {
      await site.walk(page, path);
      await quiet(page);
      for (const width of widths) await atWidth[width](path);
      // The next page begins at the width that this one ended with: each change of it draws the whole page anew.
      widths = widths.toReversed();
    }
    expect(wrong).toEqual([]);
  });

  it('writes amounts, shares and days as French does, and every digit of them', async () => {
    const page = await site.openAs(ada, '/', { choose: { id: records.psp.id, name: records.pspName } });
    await inFrench(page);
    await page
      .getByRole('cell', { name: '1er nov.' })
      .or(page.getByRole('rowheader', { name: '1er nov.' }))
      .first()
      .waitFor();
    await site.walk(page, `/transactions/${transactionId}`);
    const text = (await page.locator('main').innerText()).replaceAll('\u202f', ' ');
    expect(text).toContain('1 234 567,89');
    expect(text).toContain('7,5 %');
    expect(text).toMatch(/\d{1,2} nov\. 2026/);
    expect(text).not.toMatch(/\d,\d{3}\.\d/);
  });
});

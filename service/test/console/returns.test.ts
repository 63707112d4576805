// Returns in the console: what is overdue comes first, a return is made, read as the authority's form down to the lines
// behind a box, downloaded, and recorded as filed.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { inFrench } from '../support/french.ts';
import { contentOf } from '../support/guarantees.ts';
import { ended, made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

let site: Site;
let psp: Account;
let shop: Account;
let ada: Person;
let radio: Account;

const to = (iso: string) => site.test.advance(Date.parse(iso) - site.test.now());

beforeAll(async () => {
  site = await openSite({ startAt: '2026-09-05T10:00:00Z' });
  psp = await site.test.makePsp('Lagoon Pay');
  shop = await site.test.makeClient(psp);
  const sell = async (ref: string, countryCode = 'NG', currency = 'NGN', totalAmount = 10_750) => {
    const body = { ref, totalAmount, currency, countryCode, paymentMethods: {}, transactionFee: 10 };
    contentOf(await site.test.post('/v1/transaction/verifyTransaction', body, shop.apiKey));
  };
  await sell('september');
  radio = await site.test.makeClient(psp, { countryCode: 'DE', registeredName: 'Kiel Radio GmbH' });
  const paris = { ref: 'paris', totalAmount: 120, currency: 'EUR', countryCode: 'FR', paymentMethods: {} };
  contentOf(await site.test.post('/v1/transaction/verifyTransaction', { ...paris, transactionFee: 0 }, radio.apiKey));
  const paper = { ...paris, ref: 'paris-radio', totalAmount: 240, transactionFee: 0, mcc: '5732' };
  contentOf(await site.test.post('/v1/transaction/verifyTransaction', paper, radio.apiKey));
  to('2026-11-05T10:00:00Z');
  await sell('november');
  await sell('london', 'GB', 'GBP', 120);
  await totalled(site.test);
  to('2026-12-02T10:00:00Z');
  ada = await site.makePerson();
});
afterAll(() => site?.stop());

const at = (path: string, person = ada): Promise<Page> =>
  site.openAs(person, path, { choose: { id: psp.id, name: 'Lagoon Pay' } });

let unrated: Promise<string> | undefined;
/** A return of sales in currencies whose rates are not known. */
const withoutRates = () => {
  unrated ??= (async () => {
    const cafe = await site.test.makeClient(psp, { countryCode: 'DE' });
    for (const [currency, totalAmount] of [
      ['USD', 119],
      ['CHF', 196.35],
    ]) {
      const sale = { ref: currency, totalAmount, currency, countryCode: 'DE', paymentMethods: {}, transactionFee: 0 };
      contentOf(await site.test.post('/v1/transaction/verifyTransaction', sale, cafe.apiKey));
    }
    await totalled(site.test);
    const asked = { kind: 'filing', form: 'DE-USTVA', period: '2026-12' };
    return (await made(site.test, asked, psp.apiKey, { 'x-client-id': cafe.id })).reportId;
  })();
  return unrated;
};

describe('returns in the console', () => {
  it('are counted on the overview where they are overdue, which leads to as many', async () => {
    const page = await at('/');
    const link = page.getByRole('link', { name: 'returns are overdue' });
    const counted = await page.getByRole('listitem').filter({ has: link }).locator('span').first().textContent();
    await link.click();
    await page.getByRole('status', { name: 'Number of returns to file' }).getByText(`${counted} of `).waitFor();
    await page.getByText(`${counted} overdue`).waitFor();
  });

  it('lists what is to be filed, overdue first, with the day it is due', async () => {
    const page = await at(`/returns?clientId=${shop.id}`);
    await page.getByText('1 overdue').waitFor();
    const rows = page.getByRole('region', { name: 'Returns to file' }).getByRole('row');
    expect((await rows.nth(1).innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /NG-VAT.*Nigeria.*2026-09.*21 Oct 2026.*42 days late.*Overdue/,
    );
    await site.look(page, 'returns');
    await page.getByRole('combobox', { name: 'Show', exact: true }).click();
    await page.getByRole('option', { name: 'All periods, also without records' }).click();
    await page.getByText('nothing recorded').first().waitFor();
  });

  it('makes a return, and shows it as the form with the lines behind a box', async () => {
    const page = await at(`/returns?clientId=${shop.id}`);
    await page.getByRole('button', { name: 'Make the return NG-VAT for 2026-09' }).click();
    await page.getByRole('heading', { level: 1, name: 'NG-VAT, 2026-09' }).waitFor();
    await page.getByText('Ready to file').waitFor();
    const box = page.getByRole('region', { name: 'Boxes' }).getByRole('row', { name: /^45 / });
    expect((await box.innerText()).replaceAll(/\s+/g, ' ')).toContain('TOTAL Output Tax Collected @ 7.5% 750');
    await page.getByText('You fill it in').first().waitFor();
    const source = page.getByRole('link', { name: /Value Added Tax Returns Form 002/ });
    await expect.poll(() => source.getAttribute('href')).toMatch(/^https:/);
    await site.look(page, 'return');
    await page.getByRole('button', { name: /behind box 30$/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '1 line behind box 45' }).click();
    await page.getByRole('heading', { level: 2, name: 'Lines behind box 45' }).waitFor();
    const lines = page.getByRole('region', { name: 'Lines behind box 45' }).getByRole('row');
    await expect.poll(() => lines.count()).toBe(2);
    // They are below all boxes, and are brought to who asked for them.
    const top = () =>
      page
        .getByRole('heading', { name: 'Lines behind box 45' })
        .boundingBox()
        .then((b) => b?.y ?? -1);
    await expect.poll(async () => (await top()) > 0 && (await top()) < (page.viewportSize()?.height ?? 0)).toBe(true);
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV', exact: true }).click(),
    ]);
    expect(await readFile(await csv.path(), 'utf8')).toContain('TOTAL Output Tax Collected');
    const [book] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'XLSX', exact: true }).click(),
    ]);
    expect((await readFile(await book.path())).subarray(0, 2).toString()).toBe('PK');
    await lines.nth(1).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
    await page.getByText('Tax rule: NG-VAT-STANDARD-2026').waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Transactions' }).getByRole('row').count()).toBe(2);
  });

  it('is found by its form and state, in an address that shows others the same', async () => {
    const page = await at(`/returns?clientId=${shop.id}&show=all&form=NG-VAT&state=OVERDUE`);
    const rows = page.getByRole('region', { name: 'Returns to file' }).getByRole('row');
    await expect
      .poll(() =>
        page
          .getByRole('textbox', { name: 'Form' })
          .or(page.getByRole('combobox', { name: 'Form' }))
          .inputValue(),
      )
      .toMatch(/^NG-VAT \(\d+\)$/);
    const shown = await rows.allInnerTexts();
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.slice(1).filter((text) => !/NG-VAT[\s\S]*Overdue/.test(text))).toEqual([]);
    await site.walk(page, `/returns?clientId=${shop.id}&show=all&form=NG-VAT`);
    await expect.poll(() => rows.count()).toBeGreaterThan(shown.length);
    await site.go(page, `/returns?clientId=${shop.id}&form=XX-NONE`);
    await page.getByText('No return with these filters').waitFor();
  });

  it('is only looked at by an auditor', async () => {
    const auditor = await site.makePerson({ role: 'auditor' });
    const page = await at(`/returns?clientId=${shop.id}`, auditor);
    await page
      .getByRole('link', { name: /NG-VAT/ })
      .first()
      .click();
    await page.getByText('Ready to file').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Record as filed' }).count()).toBe(0);
  });

  it('says what filing means, and records it', async () => {
    const page = await at(`/returns?clientId=${shop.id}`);
    await page
      .getByRole('link', { name: /NG-VAT/ })
      .first()
      .click();
    await page.getByText('Ready to file').waitFor();
    await page.getByRole('button', { name: 'Record as filed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Filing locks the period').waitFor();
    await dialog.getByText(/A chargeback counts on its own day/).waitFor();
    await dialog.getByLabel('Reference').fill('NRS-2026-09-1');
    await site.look(page, 'return-file');
    await dialog.getByRole('button', { name: 'Record as filed' }).click();
    await page.getByText('Filed on 2 Dec 2026').waitFor();
    await page.getByText('NRS-2026-09-1').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Record as filed' }).count()).toBe(0);
    await site.walk(page, '/returns/filed');
    const row = page.getByRole('region', { name: 'Filed returns' }).getByRole('row').nth(1);
    expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/NG-VAT.*2026-09.*750.*NRS-2026-09-1/);
    await site.look(page, 'returns-filed');
    await site.walk(page, `/returns?clientId=${shop.id}`);
    await page.getByText('NG-VAT').first().waitFor();
    await expect.poll(() => page.getByText(/^\d+ overdue$/).count()).toBe(0);
  });

  it('says of another return of a filed period that it was filed already, and does not offer to record it', async () => {
    const headers = { 'x-client-id': shop.id };
    const report = await made(site.test, { kind: 'filing', form: 'NG-VAT', period: '2026-09' }, psp.apiKey, headers);
    const page = await at(`/returns/${report.reportId}`);
    await page.getByText('Filed already').waitFor();
    await page.getByText(/filed on 2 Dec 2026 as NRS-2026-09-1/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Record as filed' }).count()).toBe(0);
  });

  it('says of a return that shares days with a filed one that they were filed, and does not offer to record it', async () => {
    const make = (period: string) =>
      made(site.test, { kind: 'filing', form: 'GB-VAT100', period }, psp.apiKey, { 'x-client-id': shop.id });
    const quarter = await make('2026-09/2026-11');
    const filed = { reference: 'GB-1', filedOn: '2026-12-02' };
    contentOf(await site.test.post(`/v1/report/${quarter.reportId}/filed`, filed, psp.apiKey));
    const page = await at(`/returns/${(await make('2026-Q3')).reportId}`);
    await page.getByText('Filed in part').waitFor();
    await page.getByText(/filed with 2026-09\/2026-11 on 2 Dec 2026 as GB-1/).waitFor();
    await site.look(page, 'return-filed-in-part');
    expect(await page.getByRole('button', { name: 'Record as filed' }).count()).toBe(0);
  });

  it('lists the forms with their sources, and makes a return for any of its periods', async () => {
    const page = await at('/returns/forms');
    await page.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: 'Uganda (UG)' }).click();
    await page.getByRole('link', { name: /UG-GAMING/ }).waitFor();
    await site.look(page, 'returns-forms');
    await page.getByRole('link', { name: /UG-GAMING/ }).click();
    await page.getByRole('heading', { level: 1, name: 'UG-GAMING' }).waitFor();
    await page.getByText('Promoters of gaming and betting.').waitFor();
    await site.look(page, 'returns-form');
    await page.getByRole('textbox', { name: 'Period' }).fill('2026-09');
    await page.getByRole('button', { name: 'Make the return' }).click();
    await page.getByText(/must be a period of the form UG-GAMING/).waitFor();
    await page.getByRole('textbox', { name: 'Period' }).fill('2026-W45');
    await page.getByRole('button', { name: 'Make the return' }).click();
    await page.getByRole('heading', { level: 1, name: 'UG-GAMING, 2026-W45' }).waitFor();
    await page.getByText('2026-W45: 2026-11-02 to 2026-11-08').waitFor();
  });

  it('leaves a return of an open period provisional: it cannot be filed', async () => {
    const page = await at('/returns/forms/NG-VAT');
    await page.getByRole('textbox', { name: 'Period' }).fill('2026-12');
    await page.getByRole('button', { name: 'Make the return' }).click();
    await page.getByText(/Provisional: the period has not ended/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Record as filed' }).isDisabled()).toBe(true);
  });

  it('says at the top how much tax is left out for want of a rate of exchange', async () => {
    const page = await at(`/returns/${await withoutRates()}`);
    await page.getByText(/^Tax of 31.35 CHF, 19.00 USD is in no box/).waitFor();
    // Who may load the rates is led there, and others read whom to ask.
    const load = page.getByRole('link', { name: /^Load the rates of [A-Z]+$/ });
    await expect.poll(() => load.getAttribute('href')).toMatch(/\/rates\?tab=exchange&publisher=[A-Z]+$/);
    const member = await site.makePerson({ psp });
    const other = await at(`/returns/${await withoutRates()}`, member);
    await other.getByText(/Ask the operator of the service to load those of these days/).waitFor();
    await expect.poll(() => other.getByRole('link', { name: /^Load the rates/ }).count()).toBe(0);
  });

  it('has the country by its name and amounts as they are written there, in French too', async () => {
    const page = await at(`/returns/${await withoutRates()}`);
    await inFrench(page);
    await page.getByText(/^Une taxe de 31,35 CHF, 19,00 USD n’est dans aucune case/).waitFor();
    await expect.poll(() => page.locator('main').innerText()).toMatch(/Pays\s+Allemagne/);
  });

  it('shows the return of the one-stop shop with what each state is owed, and records it', async () => {
    const headers = { 'x-client-id': radio.id };
    const report = await made(site.test, { kind: 'oneStopShop', quarter: '2026-Q3' }, psp.apiKey, headers);
    const page = await at(`/reports/${report.reportId}`);
    await page.getByRole('link', { name: 'Shown as a return' }).click();
    await page.getByRole('heading', { level: 1, name: 'EU-OSS, 2026-Q3' }).waitFor();
    const owed = page.getByRole('region', { name: 'Balances' }).getByRole('row').nth(1);
    expect((await owed.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^France 60.*60/);
    const supply = page.getByRole('region', { name: 'Sales of the quarter' }).getByRole('row').nth(1);
    expect((await supply.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^France Goods .*Standard 20/);
    const unknown = page.getByRole('region', { name: 'Goods or services, not known which' });
    await unknown.getByText('no code says what was sold').waitFor();
    await site.look(page, 'return-one-stop-shop');
    await page.getByRole('button', { name: 'Record as filed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Record EU-OSS for 2026-Q3 as filed').waitFor();
    await dialog.getByText('Kiel Radio GmbH, VAT due: 60.00 EUR').waitFor();
    await dialog.getByLabel('Reference').fill('DE/OSS/2026-Q3');
    await dialog.getByRole('button', { name: 'Record as filed' }).click();
    await page.getByText('Filed on 2 Dec 2026').waitFor();
    await site.walk(page, '/returns/filed');
    await page
      .getByRole('link', { name: /EU-OSS/ })
      .first()
      .click();
    await page.getByText('DE/OSS/2026-Q3').first().waitFor();
  });

  it('says of a filed return what it was filed without, and does not ask for a revision, which it cannot have', async () => {
    const provisional = await withoutRates();
    to('2027-01-05T10:00:00Z');
    const { reportId } = contentOf(await site.test.post(`/v1/report/${provisional}/rerun`, {}, psp.apiKey));
    await site.test.app.following?.reports.work();
    await ended(site.test, reportId, psp.apiKey);
    const filed = { reference: 'DE-12', filedOn: '2027-01-05' };
    contentOf(await site.test.post(`/v1/report/${reportId}/filed`, filed, psp.apiKey));
    // The session of December has ended.
    const page = await at(`/returns/${reportId}`, await site.makePerson({ name: 'Chidi Obi' }));
    await page.getByText(/^This return was filed without tax of 31.35 CHF, 19.00 USD.*in the next return\.$/).waitFor();
    await expect.poll(() => page.getByText(/Make a new revision/).count()).toBe(0);
  });
});

// Reports and settlement in the console: a report is requested, read, followed to its rows and downloaded; a statement
// sums to zero, and a chargeback is netted.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { noteAt, resize } from '../support/look.ts';
import { totalled } from '../totals/life.ts';

let site: Site;
let psp: Account;
let later: string;
let ada: Person;

beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Lagoon Pay');
  const client = await site.test.makeClient(psp);
  const sell = async (ref: string, countryCode = 'NG', currency = 'NGN') =>
    contentOf(
      await site.test.post(
        '/v1/transaction/verifyTransaction',
        { ref, totalAmount: 107.5, currency, countryCode, paymentMethods: {}, transactionFee: 1.5 },
        client.apiKey,
      ),
    );
  await sell('order-1');
  later = (await sell('order-2')).transactionId;
  contentOf(await site.test.post('/v1/transaction/chargeBack', { ref: 'order-1' }, psp.apiKey));
  await totalled(site.test);
  ada = await site.makePerson();
});
afterAll(() => site?.stop());

const at = (path: string, choose = true): Promise<Page> =>
  site.openAs(ada, path, choose ? { choose: { id: psp.id, name: 'Lagoon Pay' } } : {});

describe('reports in the console', () => {
  it('asks for a report, reads it, opens a line to its rows, and downloads it', async () => {
    const page = await at('/reports');
    await page.getByText('No report yet').waitFor();
    await page.getByRole('link', { name: 'New report' }).click();
    await site.look(page, 'report-kinds');
    await page.getByRole('combobox', { name: 'Kind of report' }).click();
    await page.getByRole('option', { name: 'VAT return' }).click();
    await page.getByLabel('Country').fill('NG');
    await site.look(page, 'report-new');
    await page.getByRole('button', { name: 'Make the report' }).click();
    await page.getByRole('heading', { level: 1, name: /^VAT return of Lagoon Pay/ }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'VAT by rule' }).waitFor();
    await page.getByText('SHA-256 of the content').waitFor();
    await site.look(page, 'report');
    for (const width of [1280, 1440]) {
      await resize(page, width);
      const beyond = await page.evaluate<string[]>(
        `[...document.querySelectorAll('section[aria-label]')].filter((s) => s.scrollWidth > s.clientWidth + 1).map((s) => s.ariaLabel)`,
      );
      expect(beyond, `tables wider than their panel at ${width}`).toEqual([]);
    }
    const [json] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'JSON' }).click()]);
    const document = JSON.parse(await readFile(await json.path(), 'utf8'));
    expect(document.sections.map((s: { name: string }) => s.name)).toContain('byRule');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'VAT by rule as CSV' }).click(),
    ]);
    expect((await readFile(await csv.path(), 'utf8')).split('\r\n')[0]).toMatch(/^\ufeffCurrency,Tax code,Rule/);
    const [printable] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Printable page' }).click(),
    ]);
    await printable.getByRole('heading', { level: 1 }).waitFor();
    const lines = page.getByRole('region', { name: 'VAT by rule' }).getByRole('link', { name: 'NGN' });
    const href = await lines.first().getAttribute('href');
    expect(href).toMatch(/^\/console\/p\/psp_\w+\/transactions\?.*countryCode=NG/);
    expect(href).toMatch(/[?&]rule=/);
  });

  it('makes a further revision, and says that nothing changed', async () => {
    const page = await at('/reports');
    await page.getByRole('link', { name: 'VAT return' }).waitFor();
    await site.look(page, 'reports');
    await page.getByRole('link', { name: 'VAT return' }).click();
    await page.getByRole('button', { name: 'New revision' }).click();
    await page.getByText(/Nothing changed since revision 1|these sections say something else/).waitFor();
    await page.getByText('Revision 2 (this one)').waitFor();
  });

  it('names the bars of one rule apart, and says under the pointer what each is', async () => {
    const page = await at('/reports');
    await page.route(/\/v1\/report\/[^/]+\/json/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('NG-VAT-STANDARD-2026', 'NG-VAT-FEE-2020');
      await route.fulfill({ response, body });
    });
    await page.getByRole('link', { name: 'VAT return' }).first().click();
    const chart = page.getByRole('figure', { name: 'VAT by rule' });
    await chart.waitFor();
    const names = await chart.locator('tbody th').allInnerTexts();
    expect(names).toEqual([expect.stringMatching(/^NG-VAT-FEE-2020, /), expect.stringMatching(/^NG-VAT-FEE-2020, /)]);
    expect(new Set(names).size).toBe(2);
    const note = await noteAt(page, chart, 0.75);
    await note.getByText('7.5', { exact: true }).waitFor();
    await (await noteAt(page, chart, 0.25)).getByText('0.19', { exact: true }).waitFor();
  });

  it('schedules a report, changes when it is made, and ends it', async () => {
    const page = await at('/reports');
    await page.getByRole('link', { name: 'Scheduled reports' }).click();
    await page.getByText('No schedule yet').waitFor();
    await page.getByRole('link', { name: 'Schedule a report' }).click();
    await page.getByRole('combobox', { name: 'Kind of report' }).click();
    await page.getByRole('option', { name: 'Fee statement' }).click();
    await page.getByRole('combobox', { name: 'How often' }).click();
    await page.getByRole('option', { name: 'Every month' }).click();
    await expect.poll(() => page.getByLabel('Month', { exact: true }).count()).toBe(0);
    await page.getByLabel('Day of the month').fill('2');
    await site.look(page, 'report-schedule');
    await page.getByRole('button', { name: 'Schedule the report' }).click();
    const list = page.getByRole('region', { name: 'Schedules' });
    await list.getByText('Every month on day 2 at 06:00, Africa/Lagos').waitFor();
    await site.look(page, 'report-schedules');
    await list.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Hour' }).click();
    await page.getByRole('option', { name: '07:00' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await list.getByText('Every month on day 2 at 07:00, Africa/Lagos').waitFor();
    await list.getByRole('button', { name: 'End' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await list.getByText('Ended').waitFor();
  });

  it('asks an operator without a choice whose report it shall be', async () => {
    const page = await at('/reports/new?kind=feeStatement', false);
    await page.getByRole('combobox', { name: 'PSP', exact: true }).click();
    await page.getByRole('option', { name: 'Lagoon Pay' }).click();
    await page.getByRole('button', { name: 'Make the report' }).click();
    await page.getByRole('heading', { level: 1, name: /^Fee statement of Lagoon Pay/ }).waitFor();
  });

  it('says why a report is not made', async () => {
    const page = await at('/reports/new?kind=vatReturn');
    await page.getByLabel('Country').fill('ZZ');
    await page.getByRole('button', { name: 'Make the report' }).click();
    await page.getByText(/UNKNOWN_COUNTRY/).waitFor();
  });
});

describe('settlement in the console', () => {
  it('shows a statement that sums to zero', async () => {
    const page = await at('/settlement');
    await page.getByText('Balanced').waitFor();
    await site.look(page, 'settlement');
  });

  it('names the country of a statement, and gives its postings as a file for people', async () => {
    const page = await at('/settlement');
    await page
      .getByRole('heading', { name: /, Nigeria, NGN$/ })
      .first()
      .waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download statement as CSV' }).click(),
    ]);
    const [head = '', first = ''] = (await readFile(await file.path(), 'utf8')).replace('\ufeff', '').split('\r\n');
    expect(head).toBe('Client,Client id,Country,Time zone,Currency,Kind,Account,Debit,Credit');
    expect(first).toMatch(/,Nigeria,Africa\/Lagos,NGN,Approved,Customers,\d+\.\d\d,0\.00$/);
  });

  it('says what the PSP holds of a sale in cash, and that the merchant owes it the tax and fees', async () => {
    const client = await site.test.makeClient(psp);
    const paymentMethods = { cash: 950, card: 50 };
    const sale = { ref: 'in-cash', totalAmount: 1000, currency: 'NGN', countryCode: 'NG', paymentMethods };
    const path = '/v1/transaction/verifyTransaction';
    contentOf(await site.test.post(path, { ...sale, transactionFee: 0 }, client.apiKey));
    await totalled(site.test);
    const page = await at(`/settlement?clientId=${client.id}`);
    await page.getByText(/The PSP took in.*50\.00.*950\.00.*in cash, with the merchant/).waitFor();
    // 1,000 less 69.77 VAT, 10 fee and 0.75 VAT on it, of which it has 950.
    await page.getByText('Owes the PSP: merchant').waitFor();
    await page
      .getByText(/30\.52/)
      .first()
      .waitFor();
    await site.look(page, 'settlement-cash');
    await page.getByRole('link', { name: '1', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
    await page.getByText('in-cash').waitFor();
  });

  it('lists the statements of many clients, what is off first, and leads to those of one', async () => {
    const page = await at('/');
    await page.route(/\/v1\/settlement\/statement/, async (route) => {
      const response = await route.fetch();
      const { content, ...envelope } = await response.json();
      const [one] = content.items;
      // 120 statements of one client, of which the last is off by 3.
      const items = Array.from({ length: 120 }, (_, i) => ({
        ...one,
        currency: `X${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(65 + Math.floor(i / 26))}`,
        balance: i === 119 ? 3 : 0,
      }));
      const asked = new URL(route.request().url()).searchParams.has('clientId');
      await route.fulfill({ response, json: { ...envelope, content: { ...content, items: asked ? [one] : items } } });
    });
    await site.go(page, '/settlement');
    const list = page.getByRole('region', { name: '120 statements' });
    await list.getByText('1 is off').waitFor();
    await list.getByText('Off by 3').waitFor();
    await site.look(page, 'settlement-many');
    const rows = list.locator('tbody tr');
    expect(await rows.count()).toBe(50);
    expect(await rows.first().innerText()).toContain('Off by 3');
    await list.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(100);
    await rows.first().getByRole('link').click();
    await page.getByText('Debits and credits').waitFor();
    await expect.poll(() => new URL(page.url()).search).toContain('clientId=');
  });

  it('groups what it is off by, and leaves figures after a name that is written from right to left', async () => {
    const page = await at('/');
    const name = 'شركة الدفع الإلكتروني';
    await page.route(/\/v1\/(client|settlement)/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replaceAll(/"registeredName":"[^"]*"/g, `"registeredName":"${name}"`)
        .replaceAll(/"balance":[\d.-]+/g, '"balance":-9876543.2');
      await route.fulfill({ response, body });
    });
    await site.go(page, '/settlement');
    await page.getByText('Off by −9,876,543.20').first().waitFor();
    const link = page.getByRole('link', { name }).first();
    await link.waitFor();
    const places = await link.evaluate((e) => {
      const after = e.ownerDocument.createRange();
      after.selectNodeContents(e.parentNode);
      after.setStartAfter(e);
      return [e.getBoundingClientRect().right, after.getBoundingClientRect().left] as const;
    });
    expect(places[1]).toBeGreaterThanOrEqual(places[0] - 1);
  });

  it('nets a chargeback against a later transaction', async () => {
    const page = await at('/settlement/outstanding');
    await page.getByRole('link', { name: 'order-1' }).waitFor();
    await site.look(page, 'settlement-outstanding');
    await page.getByRole('button', { name: 'Net', exact: true }).click();
    await page.getByLabel('Later transaction').fill(later);
    await site.look(page, 'settlement-net');
    await page.getByRole('dialog').getByRole('button', { name: 'Net', exact: true }).click();
    await page.getByText('Nothing is outstanding').waitFor();
  });
});

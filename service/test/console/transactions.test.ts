// Transactions in the console: finding one, its split, evidence and history, verifying its receipt, and declining it or
// charging it back.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { receiptOf } from '../support/audit.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf, setStanding } from '../support/guarantees.ts';
import { quiet } from '../support/look.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ada: Person;
let found: string;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  ada = await site.makePerson({ name: 'Ada Okafor' });
  found = await records.sale({
    ref: 'invoice-2026-0042',
    totalAmount: 1234567.89,
    paymentMethods: { card: 1234000 },
    mcc: '5732',
  });
  const dear = records.sale({ ref: 'dear-order', totalAmount: 90000, paymentMethods: { card: 90000 }, mcc: '5732' });
  await Promise.all([dear, records.sale(), records.sale(), records.sale()]);
});
afterAll(() => site?.stop());

const choose = () => ({ id: records.psp.id, name: records.pspName });
const open = (path: string, person = ada) => site.openAs(person, path, { choose: choose() });
/** 1,234,567.50 NGN as the API writes it: 1234567.5 */
const plain = (shown: string) =>
  shown
    .replace(/[^\d.]/g, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
/** A field of a reply as its own text. */
const exact = (reply: string, field: string) => new RegExp(`"${field}":([\\d.]+)`).exec(reply)?.[1] as string;
const rowOf = (page: Page, name: string) =>
  page.getByRole('figure', { name: 'From gross to settled' }).getByRole('listitem').filter({ hasText: name });

describe('the list of transactions', () => {
  it('finds one by how its ref begins, and keeps what was asked in the address', async () => {
    const page = await open('/transactions');
    await page.getByRole('link', { name: 'dear-order' }).waitFor();
    await page.getByLabel('Search').fill('invoice-');
    await page.getByRole('link', { name: 'dear-order' }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get('q')).toBe('invoice-');
    await page.getByRole('link', { name: 'invoice-2026-0042' }).click();
    await page.getByRole('heading', { level: 1, name: 'invoice-2026-0042' }).waitFor();
  });

  it('is narrowed by amount, status and day, as a colleague sees who is sent the address', async () => {
    const page = await open(
      '/transactions?amountFrom=80000&amountTo=100000&status=APPROVED&from=2026-11-21&to=2026-11-21',
    );
    await page.getByRole('link', { name: 'dear-order' }).waitFor();
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2);
    await expect.poll(() => page.getByLabel('Amount from').inputValue()).toBe('80000');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('link', { name: 'invoice-2026-0042' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('takes an amount as the console prints it, with its currency', async () => {
    const page = await open('/transactions');
    const row = page.getByRole('row', { name: /invoice-2026-0042/ });
    await row.getByText('1,234,567.89').waitFor();
    await page.getByLabel('Amount from').fill('1,234,567.89 NGN');
    await page.getByLabel('Amount to').fill('1 234 567,89');
    await page.getByRole('link', { name: 'dear-order' }).waitFor({ state: 'hidden' });
    await row.waitFor();
    await page.waitForURL((url) => url.searchParams.get('amountTo') === '1234567.89');
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('amountFrom'), searchParams.get('currency')]).toEqual(['1234567.89', 'NGN']);
  });

  it('shows a colleague in a fresh browser the record and the list whose addresses were sent', async () => {
    const page = await open(`/transactions/${found}`);
    await page.getByRole('heading', { level: 1, name: 'invoice-2026-0042' }).waitFor();
    const colleague = await site.makePerson({ name: 'Bola Ade', role: 'auditor' });
    const { pathname } = new URL(page.url());
    const other = await site.openAs(colleague, pathname.replace('/console', ''));
    await other.getByRole('heading', { level: 1, name: 'invoice-2026-0042' }).waitFor();
    await other.getByRole('link', { name: 'Transactions' }).first().click();
    await other.getByRole('link', { name: 'dear-order' }).waitFor();
    expect(new URL(other.url()).pathname).toBe(`/console/p/${records.psp.id}/transactions`);
  });

  it('is narrowed to a client that is found by name', async () => {
    const page = await open('/transactions');
    await page.getByRole('combobox', { name: 'Client' }).fill('lagos');
    await page.getByRole('option', { name: records.clientName }).click();
    await page.waitForURL(`**clientId=${records.client.id}`);
    await page.getByRole('link', { name: 'dear-order' }).waitFor();
  });

  it('keeps its columns beside a name and a ref without a space, and is printed without what stays on a screen', async () => {
    const name = 'W'.repeat(190);
    const client = await site.test.makeClient(records.psp, { registeredName: name });
    const page = await open('/clients');
    await page.getByRole('link', { name }).waitFor();
    const list = page.getByRole('region', { name: 'Clients', exact: true });
    expect(await list.evaluate((e) => e.scrollWidth - e.clientWidth)).toBeLessThanOrEqual(0);
    await site.go(page, `/clients/${client.id}`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    expect(await page.locator('nav').first().isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
  });

  it('is asked for once, rows and their number together', async () => {
    const page = await open('/find');
    const asked: string[] = [];
    page.on('request', (r) => {
      if (new URL(r.url()).pathname === '/v1/transaction') asked.push(new URL(r.url()).search);
    });
    await site.walk(page, '/transactions?status=APPROVED');
    await page.getByRole('link', { name: 'dear-order' }).waitFor();
    await quiet(page);
    expect(asked).toEqual(['?status=APPROVED&count=true']);
  });

  it('says why nothing is shown', async () => {
    const page = await open('/transactions?q=nothing-begins-so');
    await page.getByText('No transaction matches').waitFor();
  });

  it('is read at both widths and in both schemes, without faults of accessibility', async () => {
    const page = await open('/transactions');
    await site.look(page, 'transactions');
  });
});

describe('a transaction', () => {
  it('shows its split to the digit, as the API writes it, and that it sums', async () => {
    const { text } = await site.test.get(`/v1/transaction/${found}`, records.psp.apiKey);
    const page = await open(`/transactions/${found}`);
    for (const [name, field] of [
      ['Gross', 'totalAmount'],
      ['VAT', 'vatAmount'],
      ['Processing fee', 'processingFee'],
      ['Transaction fee', 'transactionFee'],
      ['VAT on the fees', 'transactionVAT'],
      ['To the merchant', 'merchantAmount'],
    ] as const) {
      const shown = await rowOf(page, name).first().textContent();
      expect(plain(shown as string), name).toBe(exact(text, field));
    }
    await page.getByText('adds up exactly').waitFor();
  });

  it('calls a tax what it is: the excise on a deposit in Kenya is Excise, and only VAT is VAT', async () => {
    const { test } = site;
    const casino = await test.makeClient(records.psp, { countryCode: 'KE', classification: 'IGAMING_LOCAL' });
    const body = { ref: 'ke-deposit', totalAmount: 453.32, currency: 'KES', countryCode: 'KE', transactionFee: 0 };
    const customer = { email: 'ada@example.com' };
    const made = contentOf(await test.post('/v1/payment/deposit', { ...body, customer }, casino.apiKey));
    const { tax } = contentOf(await test.get(`/v1/transaction/${made.transactionId}?expand=tax`, records.psp.apiKey));
    const cents = (code: string) =>
      tax.reduce(
        (n: number, l: { taxCode: string; tax: number }) => n + (l.taxCode === code ? Math.round(l.tax * 100) : 0),
        0,
      );
    const page = await open(`/transactions/${made.transactionId}`);
    for (const [name, code] of [
      ['Excise', 'EXCISE'],
      ['VAT', 'VAT'],
    ] as const) {
      const shown = await rowOf(page, name).first().textContent();
      expect(Math.round(Number(plain(shown as string)) * 100), name).toBe(cents(code));
    }
    expect(cents('EXCISE')).toBeGreaterThan(cents('VAT'));
    await page.getByText('adds up exactly').waitFor();
  });

  it('shows each tax with its rule and source, and leads to what else the rule taxed', async () => {
    const tax = contentOf(await site.test.get(`/v1/transaction/${found}?expand=tax`, records.psp.apiKey)).tax[0];
    const page = await open(`/transactions/${found}`);
    const evidence = page.getByLabel(`Tax ${tax.ruleId}`);
    await expect.poll(() => evidence.textContent()).toContain(`${tax.taxCode} ${tax.rate}%`);
    await expect
      .poll(() => evidence.getByRole('link', { name: tax.source.title }).getAttribute('href'))
      .toBe(tax.source.url);
    await evidence.getByRole('link', { name: tax.ruleId }).click();
    await page.getByText(`Tax rule: ${tax.ruleId}`).waitFor();
    await page.getByRole('link', { name: 'dear-order' }).waitFor();
  });

  it('is read at both widths and in both schemes, without faults of accessibility', async () => {
    await receiptOf(site.test, records.psp, found);
    const page = await open(`/transactions/${found}`);
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText('The receipt is valid').waitFor();
    await site.look(page, 'transaction');
  });

  it('ends no line with the dot between two parts of it, however wide the page is', async () => {
    const page = await open(`/transactions/${found}`);
    const dangling = await page.evaluate<string[]>(`(() => {
      const main = document.querySelector('main');
      const texts = [];
      for (let at, walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT); (at = walk.nextNode()); ) texts.push(at);
      const lineOf = (text, from) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, from + 1);
        return range.getBoundingClientRect();
      };
      const found = new Set();
      let dots = 0;
      for (let width = 220; width < 420; width += 6) {
        main.style.width = width + 'px';
        texts.forEach((text, n) => {
          const dot = text.data.indexOf('·');
          if (dot < 0 || !text.parentElement.checkVisibility()) return;
          const inside = text.data.slice(dot + 1).search(/\\S/);
          const [next, from] = inside < 0 ? [texts[n + 1], 0] : [text, dot + 1 + inside];
          dots++;
          if (Math.abs(lineOf(text, dot).bottom - lineOf(next, from).bottom) > 8)
            found.add(width + ': ' + text.parentElement.parentElement.textContent.slice(0, 80));
        });
      }
      return dots < 100 ? ['only ' + dots + ' dots'] : [...found];
    })()`);
    expect(dangling).toEqual([]);
  });

  it('names a transfer on a chain once', async () => {
    const { test } = site;
    const exchange = await test.makeClient(records.psp, { classification: 'CRYPTO_GLOBAL' });
    const sent = operations.find((o) => o.id === 'cryptoWithdrawal')?.example;
    const { transactionId } = contentOf(await test.post('/v1/payment/cryptoWithdrawal', sent, exchange.apiKey));
    const page = await open(`/transactions/${transactionId}`);
    await page.getByRole('link', { name: 'All records of this wallet' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'All records of this transfer' }).count()).toBe(1);
  });

  it('that is not there says so, and how to ask about it', async () => {
    const page = await open('/transactions/txn_01h455vb4pex5vsknk084sn02q');
    await page.getByText(/^request /).waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('NOT_FOUND');
  });

  it('that was declined says why, and what would change it', async () => {
    const client = await site.test.makeClient(records.psp, { registeredName: 'Abuja Shoes' });
    await setStanding(site.test, client, { operationalStanding: 'SUSPENDED' });
    const body = {
      ref: 'no-go',
      totalAmount: 50,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: {},
      transactionFee: 0,
    };
    const r = await site.test.post('/v1/transaction/verifyTransaction', body, client.apiKey);
    const page = await open(`/transactions/${contentOf(r).transactionId}`);
    await page.getByText('Declined: the client is suspended.').waitFor();
    await page.getByText('Now the client may not trade: the client is suspended. Once that is resolved').waitFor();
    // The reason stands where the decision is explained, and not again where it is listed.
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText('Recorded: declined').waitFor();
    // The first keys of all accounts have one name.
    await history.getByText('first key of Abuja Shoes').waitFor();
    await expect.poll(() => history.getByText('the client is suspended').count()).toBe(0);
    await site.look(page, 'transaction-declined');
    await site.go(page, '/transactions?status=DECLINED');
    await page.getByRole('row', { name: /no-go/ }).getByText('the client is suspended').waitFor();
  });
});

describe('a receipt', () => {
  const verify = async (page: Page) => {
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    return page.getByRole('status').filter({ hasText: 'The receipt is' });
  };

  it('is verified in the browser, step by step', async () => {
    await receiptOf(site.test, records.psp, found);
    const page = await open(`/transactions/${found}`);
    const result = await verify(page);
    await result.getByText('The receipt is valid').waitFor();
    await expect.poll(() => result.getByRole('img', { name: 'holds', exact: true }).count()).toBe(7);
    await result.getByText(`${found}, digit by digit`).waitFor();
  });

  it.each([
    ['an amount in an entry', (r: string) => r.replace('1234567.89', '1234567.98'), 'Each entry is in the signed tree'],
    [
      'the signed text',
      (r: string) => r.replace(/\\n(\d+)\\n/, '\\n9$1\\n'),
      'The checkpoint carries its Ed25519 signature',
    ],
  ])('that was tampered with is shown invalid: %s', async (_, tamper, title) => {
    await receiptOf(site.test, records.psp, found);
    const page = await open(`/transactions/${found}`);
    await page.route('**/v1/audit/receipt/*', async (route) => {
      const response = await route.fetch();
      const before = await response.text();
      const after = tamper(before);
      expect(after).not.toBe(before);
      await route.fulfill({ response, body: after });
    });
    const result = await verify(page);
    await result.getByText('The receipt is not valid').waitFor();
    const failed = result.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'does not hold' }) });
    await expect.poll(() => failed.count()).toBe(1);
    await expect.poll(() => failed.textContent()).toContain(title);
  });

  it('is downloaded, and checked from its file; one of another transaction is not taken for it', async () => {
    const other = await records.sale();
    await receiptOf(site.test, records.psp, other);
    const page = await open(`/transactions/${found}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'assay-receipt-'));
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    expect(JSON.parse(readFileSync(file, 'utf8')).format).toBe('assay-receipt/v1');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText(`The file ${found}.receipt.json is valid`).waitFor();
    const foreign = join(folder, 'foreign.json');
    writeFileSync(foreign, (await site.test.get(`/v1/audit/receipt/${other}`, records.psp.apiKey)).text);
    await page.locator('input[type=file]').setInputFiles(foreign);
    await page.getByText('The file foreign.json is not valid').waitFor();
    await page.getByText(`it is not about ${found}`).waitFor();
  });
});

describe('an administrator', () => {
  it('charges a transaction back, and sees it in its history under the own name', async () => {
    const id = await records.sale({ ref: 'to-charge-back' });
    const page = await open(`/transactions/${id}`);
    await page.getByRole('button', { name: 'Charge back', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Charge back', exact: true }).click();
    const history = page.getByRole('list', { name: 'History' });
    const item = history.getByRole('listitem').filter({ hasText: 'Charged back' });
    await item.waitFor();
    await expect.poll(() => item.textContent()).toContain('by Ada Okafor');
    const { chargeback } = contentOf(await site.test.get(`/v1/transaction/${id}`, records.psp.apiKey));
    expect(chargeback.id).toMatch(/^chb_/);
    await page.getByRole('button', { name: 'Decline', exact: true }).waitFor({ state: 'hidden' });
    // Days of chargebacks are those of one country, which the list asks for before it is read.
    await site.walk(page, '/transactions?chargedBack=true&dayFrom=2026-11-01&dayTo=2026-11-30');
    await page.getByText('Choose a country', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('This could not be shown').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Country', exact: true }).click();
    await page.getByRole('option', { name: 'Nigeria (NG)' }).click();
    await page.getByRole('link', { name: 'to-charge-back' }).waitFor();
  });

  it('declines a transaction, after thinking again once', async () => {
    const id = await records.sale({ ref: 'to-decline' });
    const page = await open(`/transactions/${id}`);
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true }).click();
    await page.getByText('Declined by the PSP.').waitFor();
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText('Status: Approved → Declined').waitFor();
    // Its reason is said once.
    await expect
      .poll(async () => (await page.locator('main').innerText()).match(/declined by the psp/gi))
      .toHaveLength(1);
  });

  it('reads in words what verifying again changed', async () => {
    const body = { totalAmount: 200, paymentMethods: { card: 150, wallet: 50 } };
    const id = await records.sale({ ref: 'twice' });
    contentOf(await site.test.post('/v1/transaction/declineTransaction', { ref: 'twice' }, records.client.apiKey));
    await records.sale({ ref: 'twice', ...body });
    const page = await open(`/transactions/${id}`);
    const steps = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    const [, declined, again] = await Promise.all([0, 1, 2].map((n) => steps.nth(n).innerText()));
    expect(declined).toContain('“declined by the client”');
    for (const line of ['Status: Declined → Approved', 'Gross: 107.50 → 200.00', 'Tax: 7.50 → 13.95'])
      expect(again).toContain(line);
    expect(again).toContain('Payment methods: card 107.50 → card 150.00, wallet 50.00');
    for (const raw of [declined, again]) expect(raw).not.toMatch(/[a-z][A-Z]|[A-Z]{2}_|[{}[\]]/);
  });

  it('is the only one who is offered either', async () => {
    const auditor = await site.makePerson({ role: 'auditor' });
    const page = await open(`/transactions/${found}`, auditor);
    await page.getByRole('button', { name: 'Verify in this browser' }).waitFor();
    for (const name of ['Decline', 'Charge back', 'Open a review'])
      await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0);
  });
});

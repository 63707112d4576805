// Baskets and gaming in the console: the tax of each item, and the relation of a wager, its payouts and its taxes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiptOf } from '../support/audit.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let ada: Person;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  ada = await site.makePerson();
});
afterAll(() => site?.stop());

const open = (path: string) => site.openAs(ada, path, { choose: { id: records.psp.id, name: records.pspName } });

describe('a basket', () => {
  it('is found, shows the tax of its items, and leads to its transaction', async () => {
    const { basketId, transactionId } = await records.basket({ ref: 'cart-of-ada' });
    await records.basket();
    const page = await open('/baskets');
    await site.look(page, 'baskets');
    await page.getByLabel('Ref').fill('cart-of-ada');
    await page.waitForURL('**ref=cart-of-ada');
    await page.getByRole('link', { name: 'cart-of-ada' }).click();
    await page.getByText('Tax of the items sums exactly to').waitFor();
    await page.getByText('Exempt', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Line total' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'Ink' }).getByText('Books').waitFor();
    const { lineVat } = contentOf(await site.test.get(`/v1/basket/${basketId}`, records.psp.apiKey));
    const pen = page.getByRole('row').filter({ hasText: 'Fountain pen' });
    await expect.poll(() => pen.getByRole('cell').last().textContent()).toBe(`${lineVat[1].toFixed(2)} NGN`);
    await page.getByRole('link', { name: 'To its transaction' }).click();
    await page.waitForURL(`**/transactions/${transactionId}`);
    await page.getByText('Not decided yet').waitFor();
  });

  it('shows the tax of its payment too, where that is another one', async () => {
    // France: 20 % (art. 278 CGI) of 120 while nothing is said of the merchant, 10 % of meals (art. 279 m): 120 × 10/110.
    const { test, client } = { test: site.test, client: records.client };
    const french = { totalAmount: 120, currency: 'EUR', countryCode: 'FR', paymentMethods: { card: 120 } };
    const items = [{ sku: 'M', title: 'Menu', description: '', quantity: 1, price: 120, subTotal: 120 }];
    const { basketId, transactionId } = await records.basket({ ref: 'menu', ...french, items });
    const page = await open(`/baskets/${basketId}`);
    await page.getByText('€20.00').or(page.getByText('20.00')).first().waitFor();
    await expect.poll(() => page.getByText('Tax as submitted').count()).toBe(0);
    const payment = { ...french, ref: 'menu-paid', transactionID: transactionId, mcc: '5812', transactionFee: 1 };
    contentOf(await test.post('/v1/transaction/verifyTransaction', payment, client.apiKey));
    await site.go(page, `/baskets/${basketId}`);
    const fact = (term: string) => page.locator('dl > div').filter({ has: page.getByText(term, { exact: true }) });
    await fact('Tax as submitted').getByText('20.00').waitFor();
    await fact('Tax of the payment, which counts').getByText('10.91').waitFor();
    await page.getByText('the basket was answered with taxes of 20.00').waitFor();
  });

  it('has a receipt that is verified in the browser', async () => {
    const { basketId } = await records.basket();
    await receiptOf(site.test, records.psp, basketId);
    const page = await open(`/baskets/${basketId}`);
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText('The receipt is valid').waitFor();
    await site.look(page, 'basket');
  });
});

describe('gaming', () => {
  it('shows a wager with its payouts and taxes, and a payout with its wager', async () => {
    const wagerId = await records.wager('bet-1');
    const payoutId = await records.payout('win-1', 'bet-1');
    await receiptOf(site.test, records.psp, wagerId);
    const page = await open('/gaming');
    await page.getByRole('link', { name: 'bet-1' }).waitFor();
    await site.look(page, 'wagers');
    await page.getByRole('link', { name: 'bet-1' }).click();
    await page.getByRole('link', { name: 'win-1' }).waitFor();
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText('The receipt is valid').waitFor();
    await site.look(page, 'wager');
    await page.getByRole('link', { name: 'win-1' }).click();
    await page.waitForURL(`**/gaming/payouts/${payoutId}`);
    await page.getByText('7,300.50').first().waitFor();
    await site.look(page, 'payout');
    await page.getByRole('link', { name: 'bet-1' }).click();
    await page.waitForURL(`**/gaming/wagers/${wagerId}`);
    await site.walk(page, '/gaming/payouts?wagerReference=bet-1');
    await page.getByRole('link', { name: 'win-1' }).waitFor();
    await site.look(page, 'payouts');
  });
});

describe('finding records', () => {
  it('shows a reviewer all that names a customer, and keeps what is looked for out of the address', async () => {
    const wagerId = await records.wager('bet-to-find');
    const payoutId = await records.payout('win-to-find', 'bet-to-find');
    const reviewer = await site.makePerson({ role: 'reviewer' });
    const page = await site.openAs(reviewer, '/find', { choose: { id: records.psp.id, name: records.pspName } });
    await page.getByText('No search yet').waitFor();
    await page.getByRole('textbox', { name: 'Value' }).fill('ADA@EXAMPLE.COM');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    const rows = page.getByRole('row');
    await rows.filter({ hasText: payoutId.slice(-5) }).waitFor();
    await expect.poll(() => rows.filter({ hasText: wagerId.slice(-5) }).count()).toBe(1);
    expect(page.url().toLowerCase()).not.toContain('example.com');
    await site.look(page, 'find');
    await page.getByRole('textbox', { name: 'Value' }).fill('nobody@example.com');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('No record names it').waitFor();
  });
});

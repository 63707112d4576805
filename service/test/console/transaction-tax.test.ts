// The tax of a record in the console, in words: what was sold, who owed the tax, who bought, and each tax with its terms.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
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
const sale = async (by: Account, body: Record<string, unknown>): Promise<string> => {
  const fixed = { totalAmount: 119, paymentMethods: { card: 119 }, transactionFee: 1 };
  const reply = await site.test.post('/v1/transaction/verifyTransaction', { ...fixed, ...body }, by.apiKey);
  return contentOf(reply).transactionId;
};
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
const evidenceOf = async (id: string): Promise<any> =>
  contentOf(await site.test.get(`/v1/transaction/${id}?expand=tax,decision`, records.psp.apiKey));
const fact = (page: Page, term: string) =>
  page
    .getByRole('region', { name: 'Taxes' })
    .locator('dl > div', { has: page.locator('dt').getByText(term, { exact: true }) })
    .first()
    .locator('dd');
const gross = (page: Page) => page.getByRole('figure', { name: 'From gross to settled' });

describe('the tax of a sale', () => {
  it('says what was sold, that the client is assumed to owe the tax, and what the source says', async () => {
    const id = await records.sale({ ref: 'groceries', mcc: '5411' });
    const [tax] = (await evidenceOf(id)).tax;
    const page = await open(`/transactions/${id}`);
    await expect.poll(() => fact(page, 'What was sold').textContent()).toBe('Groceries');
    await expect.poll(() => fact(page, 'Said by').textContent()).toBe('The merchant category code');
    await expect
      .poll(() => fact(page, 'Client owes the tax').textContent())
      .toBe('Assumed: the client has no tax profile in Nigeria for 21 Nov 2026, so it counts as registered');
    await expect.poll(() => fact(page, 'Customer').textContent()).toBe('Consumer');
    expect(tax.says).toMatch(/\w/);
    await page.getByLabel(`Tax ${tax.ruleId}`).getByText(tax.says).waitFor();
    await site.look(page, 'transaction-tax');
  });

  it('says in words why a client that is not registered owed none', async () => {
    const small = await site.test.makeClient(records.psp, { registeredName: 'Yaba Tailors' });
    const profile = { countryCode: 'NG', validFrom: '2026-01-01', registered: false };
    await site.test.post(`/v1/client/${small.id}/tax-profile`, profile, records.psp.apiKey);
    const id = await sale(small, { ref: 'small', currency: 'NGN', countryCode: 'NG' });
    const { vatAmount, tax } = await evidenceOf(id);
    expect([vatAmount, tax[0].reason]).toEqual([0, 'NOT_REGISTERED']);
    const page = await open(`/transactions/${id}`);
    const evidence = page.getByLabel(`Tax ${tax[0].ruleId}`);
    await evidence.getByText('None is due: the client is not registered for this tax.').waitFor();
    await expect
      .poll(() => fact(page, 'Client owes the tax').textContent())
      .toBe('No: the client is not registered in Nigeria');
    await expect.poll(() => fact(page, 'What was sold').textContent()).toBe('Not known');
    await expect.poll(() => evidence.textContent()).not.toMatch(/NOT_REGISTERED|7\.5% of/);
    await site.look(page, 'transaction-not-registered');
  });

  it('says which part of the price was a discount, on which there is no tax', async () => {
    const id = await records.sale({
      ref: 'cheap',
      totalAmount: 1075,
      paymentMethods: { card: 967.5, discounts: 107.5 },
    });
    expect((await evidenceOf(id)).vatAmount).toBe(67.5);
    const page = await open(`/transactions/${id}`);
    await expect.poll(() => fact(page, 'Discounts, not taxed').textContent()).toContain('107.50');
    await expect.poll(() => page.getByText('Vouchers taxed when sold').count()).toBe(0);
  });

  it('names a business abroad as the customer, whose country taxes the sale', async () => {
    const seller = await site.test.makeClient(records.psp, { registeredName: 'Kontor', countryCode: 'DE' });
    const taxDetails = { customerCountry: 'FR', customerTaxNumber: 'FR40303265045' };
    const id = await sale(seller, { ref: 'abroad', currency: 'EUR', countryCode: 'DE', taxDetails });
    expect((await evidenceOf(id)).vatAmount).toBe(0);
    const page = await open(`/transactions/${id}`);
    await expect
      .poll(() => fact(page, 'Customer').textContent())
      .toBe('Business in another country, known by its tax number');
    await page.getByText('Taxed where the customer is established (reverse charge)').waitFor();
    await gross(page).getByText('adds up exactly').waitFor();
  });
});

describe('a tax with a limit', () => {
  it('is shown with its terms, and never as the bare rate of the amount', async () => {
    const casino = await site.test.makeClient(records.psp, { countryCode: 'PL', classification: 'IGAMING_LOCAL' });
    const customer = { email: 'ada@example.com' };
    const bet = { amount: 20, ref: 'pl-bet', customer, ip: '102.0.2.44', type: 'sports' };
    await site.test.post('/captureWager', bet, casino.apiKey);
    const win = { amount: 3000, ref: 'pl-win', customer, wagerReference: 'pl-bet' };
    const { payoutId } = contentOf(await site.test.post('/capturePayout', win, casino.apiKey));
    const page = await open(`/gaming/payouts/${payoutId}`);
    const evidence = page.getByRole('region', { name: /^Tax PL-WHT-PAYOUT/ });
    await evidence.getByText('10%, above 2,280 PLN').waitFor();
    await expect.poll(() => evidence.textContent()).toContain('On 3,000.00 PLN it is 300.00 PLN');
  });
});

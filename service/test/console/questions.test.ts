// Questions that people come to the console with, each answered in one search or at most three clicks, which the test
// counts; every answer is held against the database's own numbers.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { only } from '../../src/platform/database.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { uuidOf } from '../support/journal.ts';
import { faultless, settled } from '../support/look.ts';
import { answers, type Receiver, startReceiver } from '../support/receivers.ts';
import { subscribe } from '../support/webhooks.ts';
import { totalled } from '../totals/life.ts';

/** The search is on every page. This one asks for nothing by itself, and so loads in a third of the overview's time. */
const anywhere = '/nothing-here';

let site: Site;
let psp: Account;
let other: Account;
let duka: Account;
let bets: Account;
let ada: Person;
let receiver: Receiver;
const made: Record<string, string> = {};
const kes = { currency: 'KES', countryCode: 'KE', transactionFee: 1 };
const customer = { email: 'wanjiku@example.com', phoneNumber: '+254712345678' };

async function pay(
  ref: string,
  by: Account,
  body: object,
  path = '/v1/transaction/verifyTransaction',
): Promise<string> {
  const sent = { ref, ...kes, ...body };
  const { transactionId } = contentOf(await site.test.post(path, sent, by.apiKey));
  made[ref] = transactionId;
  return transactionId;
}
const sale = (ref: string, totalAmount: number, by = duka) =>
  pay(ref, by, { totalAmount, paymentMethods: { card: totalAmount } });

beforeAll(async () => {
  receiver = await startReceiver({ behaviour: answers(200, 'thank you') });
  site = await openSite({
    startAt: '2026-10-05T08:00:00Z',
    env: { WEBHOOK_CONCURRENCY: '4', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
  });
  const { test } = site;
  psp = await test.makePsp('Harbour Pay', 'KE');
  other = await test.makePsp('Lagoon Pay', 'KE');
  duka = await test.makeClient(psp, { registeredName: 'Mzizi Duka Ltd' });
  bets = await test.makeClient(psp, { registeredName: 'Simba Bets', classification: 'IGAMING_LOCAL' });
  await subscribe(test, duka, receiver.url);
  await sale('october-1', 1160);
  await sale('october-2', 2320.5);
  test.advance(Date.parse('2026-11-20T08:00:00Z') - test.now());
  await sale('order-1', 1715.23);
  await sale('order-2', 1715.32);
  await sale('returned', 5000);
  contentOf(await test.post('/v1/transaction/chargeBack', { ref: 'returned' }, psp.apiKey));
  await pay('wanjiku-1', duka, { totalAmount: 300.25, customer }, '/v1/payment/deposit');
  await pay('wanjiku-2', bets, { totalAmount: 100.5, customer }, '/v1/payment/deposit');
  await pay('somebody', bets, { totalAmount: 9, customer: { email: 'somebody@example.com' } }, '/v1/payment/deposit');
  ada = await site.makePerson({ name: 'Ada Okafor' });
});
afterAll(async () => {
  await site?.stop();
  await receiver?.stop();
});

/** Counts what a person clicks. */
function clicking(page: Page) {
  let clicks = 0;
  return {
    count: () => clicks,
    async on(role: 'link' | 'button' | 'option', name: string | RegExp) {
      clicks += 1;
      await page.getByRole(role, { name }).first().click();
      await settled(page);
    },
  };
}
const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything' });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
/** Opens the search by its key, types, and waits for an answer. */
async function search(page: Page, typed: string, expected: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await field(page).fill(typed);
  await option(page, expected).first().waitFor();
}
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('question 1: which payment was 1,715.23 KES this morning?', () => {
  it('says in which days of the zone of the page it was searched for', async () => {
    const page = await site.openAs(ada, `${anywhere}?zone=Africa/Nairobi`);
    await search(page, '1,715.23 KES', /order-1/);
    await page.getByLabel('Amounts of').selectOption('October 2026');
    await page.getByText('Amounts recorded from 1 Oct 2026 to 31 Oct 2026').waitFor();
  });

  it('is answered by one search, with the amount as people write it, from the page of all PSPs', async () => {
    const page = await site.openAs(ada, '/');
    await search(page, '1,715.23 KES', /order-1/);
    await expect.poll(() => page.getByRole('listbox', { name: 'Found' }).getByRole('option').count()).toBe(1);
    await page.getByText('Amounts recorded from').waitFor();
    await expect.poll(() => page.getByLabel('Amounts of').locator('option').count()).toBe(15);
    await faultless(page, 'the search with an answer');
    await page.keyboard.press('Enter');
    await heading(page, 'order-1');
    expect(new URL(page.url()).pathname).toBe(`/console/p/${psp.id}/transactions/${made['order-1']}`);
    const stored = only(
      await site.test.database.admin.query<{ id: string }>(
        "SELECT id FROM transactions WHERE amount = 1715.23 AND currency = 'KES'",
      ),
    );
    expect(toWire('transaction', stored.id)).toBe(made['order-1']);
  });
});

describe('question: which webhooks failed, and what is to be done today?', () => {
  it('is answered by the page that shows it', async () => {
    const page = await site.openAs(ada, anywhere);
    await search(page, 'which webhooks failed', 'Webhooks');
    await field(page).fill('what needs doing today');
    await option(page, 'Needs attention').click();
    await heading(page, 'Overview');
  });
});

describe('question 2: why was it declined, who put the hold, what did they see?', () => {
  it('is answered on the page of the transaction, and on that of the client one click further', async () => {
    const boda = await site.test.makeClient(psp, { registeredName: 'Boda Held Ltd' });
    const page = await site.openAs(ada, `/clients/${boda.id}`, { choose: { id: psp.id, name: 'Harbour Pay' } });
    await page.getByRole('button', { name: 'Place a hold' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/code/i).first().fill('SANCTIONS_CHECK');
    await dialog
      .getByLabel(/reason/i)
      .first()
      .fill('a name on a list');
    await dialog.getByRole('button', { name: 'Place', exact: false }).last().click();
    await page.getByText('On hold').first().waitFor();
    await sale('declined-1', 40, boda);
    await site.walk(page, anywhere);
    await search(page, 'declined-1', /declined-1/);
    await page.keyboard.press('Enter');
    await heading(page, 'declined-1');
    const why = page.getByRole('region', { name: 'Why this decision' });
    await why
      .getByText(/a hold blocks it: a name on a list \(SANCTIONS_CHECK\), placed by (you|Ada Okafor) on/)
      .waitFor();
    await why.getByText(/the client sees “the account is under review”/).waitFor();
    const clicks = clicking(page);
    await clicks.on('link', 'Boda Held Ltd');
    await heading(page, 'Boda Held Ltd');
    const holds = page.getByRole('region', { name: 'Holds and flags' });
    const does = holds.getByText('Declines every transaction, until somebody ends it');
    // On one line: in half of the page it had one word a line.
    expect((await does.boundingBox())?.height).toBeLessThan(30);
    await holds.getByText(/by (you|Ada Okafor)/).waitFor();
    await holds.getByText('“the account is under review”').waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Standing' }).getByText('Active', { exact: true }).count())
      .toBe(0);
    await page.getByText(/^Its transactions are declined/).waitFor();
    await clicks.on('link', 'Full history');
    await page.getByText('Ada Okafor placed a hold on Boda Held Ltd').waitFor();
    expect(clicks.count()).toBeLessThanOrEqual(3);
    await search(page, 'boda', /Boda Held Ltd/);
    await option(page, /Boda Held Ltd.*Not accepted/s).waitFor();
    await page.keyboard.press('Escape');
  });
});

describe("question 5: one merchant's chargeback ratio", () => {
  it('is on the page of the client, by number and by amount, one search away, as the records say', async () => {
    await totalled(site.test);
    const page = await site.openAs(ada, anywhere);
    await search(page, 'mzizi', /Mzizi Duka Ltd/);
    await page.keyboard.press('Enter');
    await heading(page, 'Mzizi Duka Ltd');
    const figures = page.getByRole('region', { name: 'Last 30 days' });
    const [own] = await site.test.database.admin.query<{ ratio: string; by_amount: string; approved: number }>(
      `SELECT round(100.0 * count(*) FILTER (WHERE chargeback IS NOT NULL) / count(*), 1)::text AS ratio,
         round(100 * sum(amount) FILTER (WHERE chargeback IS NOT NULL) / sum(amount), 1)::text AS by_amount, count(*)::int AS approved
       FROM transactions WHERE account_id = $1 AND status = 'APPROVED' AND created_at >= '2026-11-01'`,
      [duka.uuid],
    );
    await figures.getByText(`${own?.ratio}%`, { exact: true }).waitFor();
    const row = figures.getByRole('row', { name: /^KES/ });
    await expect.poll(() => row.innerText()).toContain(`${own?.by_amount}%`);
    await figures.getByText(String(own?.approved), { exact: true }).first().waitFor();
    const [vat] = await site.test.database.admin.query<{ vat: string }>(
      `SELECT to_char(sum(vat_amount + transaction_vat), 'FM999,990.00') AS vat FROM transactions
       WHERE account_id = $1 AND status = 'APPROVED' AND created_at >= '2026-11-01'`,
      [duka.uuid],
    );
    // The list behind the amount is of the same days, which for chargebacks are those of one country.
    const behind = new URL((await row.getByRole('link').getAttribute('href')) ?? '', page.url()).searchParams;
    const { period } = contentOf(await site.test.get('/v1/overview?days=30', psp.apiKey, { 'x-client-id': duka.id }));
    expect(Object.fromEntries(behind)).toEqual({
      ...{ clientId: duka.id, chargedBack: 'true', countryCode: 'KE', currency: 'KES' },
      ...{ dayFrom: period.from, dayTo: period.to },
    });
    // The taxes come by a question of their own.
    await row.getByText(/^VAT /).waitFor();
    const taxes = (await row.innerText()).matchAll(/[A-Z][A-Za-z]+(?: [a-z]+)* ([\d,]+\.\d\d)/g);
    const shown = [...taxes].reduce((sum, [, t]) => sum + Math.round(Number(t?.replaceAll(',', '')) * 100), 0);
    expect(shown).toBe(Math.round(Number(vat?.vat.replaceAll(',', '')) * 100));
    await site.look(page, 'client-hub');
  });
});

describe('question 6: the VAT due for October as a document', () => {
  it('is three clicks away, and is the sum of the records', async () => {
    await totalled(site.test);
    const page = await site.openAs(ada, '/', { choose: { id: psp.id, name: 'Harbour Pay' } });
    const clicks = clicking(page);
    await clicks.on('link', 'Returns');
    await clicks.on('button', 'Make the return KE-VAT for 2026-10');
    await heading(page, 'KE-VAT, 2026-10');
    await page.getByText('Ready to file').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), clicks.on('link', /^CSV$/)]);
    // Of the records as they were taxed, fees included; excise and withheld tax are other returns.
    const own = only(
      await site.test.database.admin.query<{ vat: string }>(
        `SELECT trim_scale(sum((l->>'tax')::numeric))::text AS vat
         FROM transactions t, jsonb_array_elements(t.evidence::jsonb->'tax') l
         WHERE t.psp_id = $1 AND t.status = 'APPROVED' AND t.decided_on BETWEEN '2026-10-01' AND '2026-10-31'
           AND l->>'rule' LIKE 'KE-VAT%'`,
        [psp.uuid],
      ),
    );
    expect(await readFile(await download.path(), 'utf8')).toContain(
      `DUE,Tax due (or claimable) for the month,Tax due (or claimable) for the month,KES,${own.vat.replace(/\.\d$/, '$&0')},`,
    );
    expect(clicks.count()).toBeLessThanOrEqual(3);
  });
});

describe('question 8: was the webhook of this transaction delivered?', () => {
  it('is answered on the page of the transaction, with the address and its answer one click further', async () => {
    const id = made['order-1'] as string;
    await until('it is delivered', () => receiver.received.some((r) => r.body.includes(id)));
    const page = await site.openAs(ada, anywhere);
    await search(page, id, /order-1/);
    await page.keyboard.press('Enter');
    await heading(page, 'order-1');
    const events = page.getByRole('region', { name: 'Events and deliveries' });
    await events.getByText('Delivered').waitFor();
    await events.getByText(/last answer HTTP 200/).waitFor();
    const clicks = clicking(page);
    await clicks.on('link', receiver.url);
    await page.getByRole('region', { name: 'Attempts' }).first().waitFor();
    const stored = only(
      await site.test.database.admin.query<{ state: string; id: string }>(
        `SELECT d.state, d.id FROM webhook_deliveries d JOIN journal j ON j.id = d.event_id WHERE j.resource_id = $1`,
        [uuidOf(id)],
      ),
    );
    expect(stored.state).toBe('delivered');
    expect(new URL(page.url()).pathname).toContain(toWire('delivery', stored.id));
    expect(clicks.count()).toBeLessThanOrEqual(3);
    await page.goBack();
    await events.getByRole('link', { name: 'transaction.created' }).first().click();
    await heading(page, 'transaction.created');
    await page.getByRole('region', { name: 'Deliveries' }).getByText('Delivered').first().waitFor();
    await site.look(page, 'event');
  });
});

describe('question 10: all payments of this customer', () => {
  it('are found by one search for the e-mail, added up as the database has them, and nobody is named in the address', async () => {
    const page = await site.openAs(ada, anywhere);
    await search(page, customer.email, /E-mail of a customer/);
    await page.keyboard.press('Enter');
    await heading(page, 'A customer');
    expect(decodeURIComponent(page.url())).not.toMatch(/wanjiku|@/);
    const rows = page.getByRole('region', { name: 'Records', exact: true }).last();
    await rows.getByText('wanjiku-1').waitFor();
    await rows.getByText('wanjiku-2').waitFor();
    await expect.poll(() => rows.getByText('somebody').count()).toBe(0);
    const own = only(
      await site.test.database.admin.query<{ sum: string }>(
        "SELECT to_char(sum(amount), 'FM999,990.00') AS sum FROM transactions WHERE ref LIKE 'wanjiku-%'",
      ),
    );
    await page.getByRole('region', { name: 'Total' }).getByText(own.sum).waitFor();
    await site.look(page, 'person');
  });

  it('are one click from a transaction of the customer', async () => {
    const page = await site.openAs(ada, `/go/${made['wanjiku-2']}`);
    await heading(page, 'wanjiku-2');
    const clicks = clicking(page);
    await clicks.on('link', 'All records of this customer');
    await heading(page, 'A customer');
    await page.getByRole('link', { name: 'wanjiku-1' }).waitFor();
    expect(clicks.count()).toBe(1);
  });
});

describe('the search', () => {
  it('is used by keys alone, and gives the focus back', async () => {
    const page = await site.openAs(ada, anywhere);
    const button = page.getByRole('button', { name: /^Search everything/ });
    await button.focus();
    await page.keyboard.press('/');
    await field(page).waitFor();
    await page.keyboard.type('order-');
    await option(page, /order-2/).waitFor();
    const chosen = () =>
      page.getByRole('listbox', { name: 'Found' }).getByRole('option', { selected: true }).innerText();
    // What the first letters found may still stand there.
    await expect.poll(chosen, { timeout: 60_000 }).toContain('order-1');
    await page.keyboard.press('ArrowDown');
    expect(await chosen()).toContain('order-2');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).toContain('order-2');
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((b) => b.matches(':focus')), { timeout: 60_000 }).toBe(true);
    await page.keyboard.press('Control+k');
    await expect.poll(() => field(page).inputValue()).toBe('');
    await field(page).fill('nothing is called so');
    await page.getByText(/^Nothing found\./).waitFor();
    await faultless(page, 'the search without an answer');
    await page.keyboard.press('Escape');
  });

  it('opens what was typed when Enter follows at once', async () => {
    const page = await site.openAs(ada, anywhere);
    await search(page, 'order-1', /order-1/);
    await field(page).fill('order-2');
    await page.keyboard.press('Enter');
    await heading(page, 'order-2');
  });

  it('shows the keys with ?, goes to pages with g and a letter, and leaves fields alone', async () => {
    const page = await site.openAs(ada, anywhere, { choose: { id: psp.id, name: 'Harbour Pay' } });
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Transactions').waitFor();
    await faultless(page, 'the keys');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await heading(page, 'Transactions');
    await page.getByLabel('Search', { exact: true }).fill('');
    await page.getByLabel('Search', { exact: true }).pressSequentially('g/?');
    await expect.poll(() => page.getByLabel('Search', { exact: true }).inputValue()).toBe('g/?');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it.each([
    ['all clients on hold, all PSPs', 'Clients on hold', '/clients?standing=ON_HOLD', 'Clients'],
    ['the VAT due for October', 'Returns to file', '/returns', 'Returns'],
    ['which rates change in 90 days?', 'Taxes that change in 90 days', '/rates?tab=changes', 'Rates'],
    ['keys unused for 90 days', 'Keys unused for 90 days', '/keys?of=all&unused=90', 'API keys'],
  ])('leads from “%s” to the page that answers it', async (typed, title, path, shown) => {
    const page = await site.openAs(ada, anywhere, { choose: { id: psp.id, name: 'Harbour Pay' } });
    await search(page, typed, title);
    // It is the first, which Enter opens.
    await expect.poll(() => page.getByRole('option').first().textContent()).toBe(title);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => new URL(page.url()))
      .toMatchObject({
        pathname: `/console/p/${psp.id}${path.split('?')[0]}`,
        search: path.includes('?') ? `?${path.split('?')[1]}` : '',
      });
    await heading(page, shown);
  });

  it('finds pages by their name, and cases and rules', async () => {
    const page = await site.openAs(ada, anywhere);
    await search(page, 'settle', /Settlement/);
    await page.keyboard.press('Enter');
    await heading(page, 'Settlement');
    await search(page, 'dormant', /DORMANT_CLIENT/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toContain('/risk/DORMANT_CLIENT');
  });
});

describe('an address with an id', () => {
  it('leads to its page under its own PSP, whichever is chosen', async () => {
    const { chargeback } = contentOf(await site.test.get(`/v1/transaction/${made.returned}`, psp.apiKey));
    const page = await site.openAs(ada, `/go/${chargeback.id}`, { choose: { id: other.id, name: 'Lagoon Pay' } });
    await heading(page, 'returned');
    expect(new URL(page.url()).pathname).toBe(`/console/p/${psp.id}/transactions/${made.returned}`);
  });

  it('that is unknown, mistyped, or of another PSP leads on', async () => {
    const page = await site.openAs(ada, `/go/${toWire('transaction', site.test.app.services.ids.next())}`);
    await page.getByText('Nothing has this id').waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await field(page).waitFor();
    await page.keyboard.press('Escape');
    await site.go(page, '/go/order-1');
    await page.getByText('This is not an id').waitFor();
    await site.look(page, 'go');
    await site.go(page, `/p/${other.id}/transactions/${made['order-1']}`);
    await page.getByText('No transaction has this id here').waitFor();
    await page.getByRole('link', { name: 'Open it under Harbour Pay' }).click();
    await heading(page, 'order-1');
    await site.go(page, '/nowhere');
    await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
  });

  it("shows a PSP's people their own records, and of others nothing", async () => {
    const bola = await site.makePerson({ name: 'Bola Ade', psp: other });
    const page = await site.openAs(bola, `/go/${made['order-1']}`);
    await page.getByText('Nothing has this id').waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('1,715.23 KES');
    await page.getByText(/^Nothing found\./).waitFor();
    await page.keyboard.press('Escape');
    const own = await site.makePerson({ name: 'Chidi', psp });
    const theirs = await site.openAs(own, `/go/${made['order-1']}`);
    await heading(theirs, 'order-1');
  });
});

describe('the page of a transaction', () => {
  it('has what was sent, and all that hangs on it, without faults of accessibility', async () => {
    const page = await site.openAs(ada, `/go/${made.returned}`);
    await heading(page, 'returned');
    await page.getByRole('button', { name: 'Show the request' }).click();
    const request = page.getByRole('region', { name: 'Request as it was sent' });
    expect(JSON.parse(await request.innerText())).toMatchObject({ ref: 'returned', totalAmount: '5000' });
    await page.getByRole('region', { name: 'Settlement' }).getByText('Statement of 2026-11').waitFor();
    await page.getByRole('region', { name: 'Reviews and cases' }).waitFor();
    await site.look(page, 'transaction-hub');
  });
});

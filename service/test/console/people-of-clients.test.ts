// Somebody of a client at the console: every page that is offered works for them, from end to end, and none of the others is
// there. Their PSP lets the first one in on the client's page.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf, placeHold } from '../support/guarantees.ts';
import { totalled } from '../totals/life.ts';

let site: Site;
let psp: Account;
let client: Account;
let chi: Person;
let mem: Person;
let transactionId: string;

const sale = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
});

beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Example Pay');
  client = await site.test.makeClient(psp);
  const neighbour = await site.test.makeClient(psp, { registeredName: 'Neighbour Games Ltd' });
  const verify = (ref: string, by: Account) =>
    site.test.post('/v1/transaction/verifyTransaction', sale(ref), by.apiKey);
  transactionId = contentOf(await verify('own-order', client)).transactionId;
  contentOf(await verify('neighbour-order', neighbour));
  chi = await site.makePerson({ name: 'Chi Obi', psp: client });
  mem = await site.makePerson({ name: 'Mem Eze', psp: client, role: 'member' });
  await totalled(site.test);
});
afterAll(() => site.stop());

const offered = [
  ['Overview', '/'],
  ['Transactions', '/transactions'],
  ['Baskets', '/baskets'],
  ['Gaming', '/gaming'],
  ['Players', '/players'],
  ['Webhooks', '/webhooks'],
  ['Call records', '/cdr'],
  ['Find', '/find'],
  ['Your account', '/account'],
  ['Reports', '/reports'],
  ['Returns', '/returns'],
  ['Settlement', '/settlement'],
  ['People', '/people'],
  ['API keys', '/keys'],
  ['Requests', '/requests'],
] as const;
/** Further pages, to which these lead. */
const further = [
  ...['/cdr/records', '/cdr/analysis', '/cdr/analysis/records', '/cdr/periods', '/cdr/declarations', '/cdr/logins'],
  ...['/returns/filed', '/returns/forms', '/returns/forms/NG-VAT', '/gaming/payouts', '/settlement/outstanding'],
] as const;

describe('somebody of a client', () => {
  it('has these pages in the navigation, and each works', async () => {
    for (const person of [chi, mem]) {
      const page = await site.openAs(person, '/');
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      await links.first().waitFor();
      expect((await links.allTextContents()).map((t) => t.trim())).toEqual(offered.map(([title]) => title));
      for (const path of [...offered.map(([, to]) => to), ...further]) {
        await site.walk(page, path);
        await expect.poll(() => page.getByText('This could not be shown').count()).toBe(0);
        await expect.poll(() => page.getByText('There is no page at this address').count()).toBe(0);
        await expect.poll(() => page.getByRole('main').textContent()).not.toMatch(/Neighbour|neighbour-order/);
      }
    }
  });

  it('sees a transaction without reviews and cases, and its way to settlement and receipt', async () => {
    const page = await site.openAs(chi, '/transactions');
    await page.getByRole('link', { name: 'own-order' }).click();
    await page.getByRole('heading', { name: 'own-order' }).waitFor();
    await page.getByRole('heading', { name: 'Request as sent' }).waitFor();
    for (const name of ['Reviews and cases'])
      await expect.poll(() => page.getByRole('heading', { name }).count()).toBe(0);
    for (const name of ['Open a review', 'Charge back'])
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('button', { name: 'Decline' }).waitFor();
    await site.look(page, 'client-transaction');
    const go = await site.openAs(mem, `/go/${transactionId}`);
    await go.getByRole('heading', { name: 'own-order' }).waitFor();
    await expect.poll(() => go.getByRole('button', { name: 'Decline' }).count()).toBe(0);
  });

  it('sees its own account: standing, what is due, holds in the words for clients', async () => {
    await placeHold(site.test, client, { code: 'STR_ZEBRA', reason: 'zebra report filed', blocking: true });
    site.test.advance(1000);
    const page = await site.openAs(chi, '/account');
    await page.getByText(/Your transactions are declined/).waitFor();
    await page.getByRole('heading', { name: 'Documents' }).waitFor();
    await expect.poll(() => page.getByRole('main').textContent()).not.toMatch(/zebra/i);
    for (const name of ['Place a hold', 'Suspend', 'Change level'])
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
    await site.look(page, 'client-account');
  });

  it('is told that other pages are not there', async () => {
    const page = await site.openAs(chi, '/cases');
    for (const path of [
      '/cases',
      '/reviews',
      '/lists',
      '/risk',
      '/clients',
      '/approvals',
      '/audit',
      '/psps',
      '/status',
    ]) {
      await site.walk(page, path);
      await page.getByText('There is no page at this address').waitFor();
    }
  });

  it('issues a key of the client and lets a member in', async () => {
    const page = await site.openAs(chi, '/keys');
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it is for').fill('web shop');
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
    const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    expect((await site.test.get('/v1/transaction', key)).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await site.go(page, '/people');
    await page.getByRole('button', { name: 'Add a person' }).click();
    await dialog.getByLabel('Name').fill('Uju Member');
    await dialog.getByLabel('E-mail').fill('uju@merchant.example');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('textbox', { name: 'One-time password' }).waitFor();
    await dialog.getByRole('button', { name: 'I have passed it on' }).click();
    await page
      .getByRole('row', { name: /Uju Member/ })
      .getByText('Member', { exact: true })
      .waitFor();
    await site.look(page, 'client-people');
  });
});

describe('the PSP', () => {
  it('lets the first person of a client in on its page', async () => {
    const other = await site.test.makeClient(psp, { registeredName: 'Fresh Shop Ltd' });
    const ada = await site.makePerson({ name: 'Ada Okafor', psp });
    const page = await site.openAs(ada, `/clients/${other.id}`);
    await page.getByRole('heading', { name: 'Who may sign in' }).waitFor();
    await page.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('First One');
    await dialog.getByLabel('E-mail').fill('first@shop.example');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('textbox', { name: 'One-time password' }).waitFor();
    await dialog.getByRole('button', { name: 'I have passed it on' }).click();
    await page.getByRole('row', { name: /First One/ }).waitFor();
  });
});

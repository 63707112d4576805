// Authorities at the console: staff let one in and its people, who see the records of their country over all PSPs, check
// receipts in the browser, and have no page besides. Where two people are required, letting in becomes a proposal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import type { Account } from '../support/app.ts';
import { allSealed } from '../support/audit.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { inEnglish, inFrench, shown } from '../support/french.ts';
import { contentOf, setStanding } from '../support/guarantees.ts';
import { uuidOf } from '../support/journal.ts';
import { quiet } from '../support/look.ts';
import { invite } from '../support/people.ts';
import { totalled } from '../totals/life.ts';

let site: Site;
let ada: Person;
let bola: Person;
let inspector: Person;
const psps: Account[] = [];

const sale = (ref: string, currency: string, countryCode: string) => ({
  ...{ ref, totalAmount: 107.5, currency, countryCode, paymentMethods: { card: 107.5 }, transactionFee: 1.5 },
});
const offered = [
  ['Records', '/authority'],
  ['Totals', '/authority/totals'],
  ['Filed returns', '/authority/returns'],
  ['Sample', '/authority/sample'],
] as const;

/** Somebody of the staff whom the command line let in: people whom one key let in count as one. */
async function letInAlone(): Promise<Person> {
  const person = await invite(site.test, site.operator, 'administrator');
  const [user] = await site.test.database.admin.query<{ id: string }>(
    "UPDATE users SET password_kind = 'OWN' WHERE email = $1 RETURNING id",
    [person.email],
  );
  return { ...person, userId: toWire('user', user?.id as string) };
}

beforeAll(async () => {
  site = await openSite({ env: { REQUIRE_TWO_PERSONS: 'authorities' } });
  const { test } = site;
  for (const name of ['First Pay', 'Second Pay']) {
    const psp = await test.makePsp(name);
    psps.push(psp);
    for (const [currency, country] of [
      ['NGN', 'NG'],
      ['KES', 'KE'],
    ] as const)
      contentOf(
        await test.post('/v1/transaction/verifyTransaction', sale(`${name} ${country}`, currency, country), psp.apiKey),
      );
  }
  ada = await letInAlone();
  bola = await letInAlone();
  await totalled(test);
  await allSealed(test);
});
afterAll(() => site?.stop());

/** Texts of a page in English: ours, and the service's, which have the words that no sentence is without. */
async function english(page: Page): Promise<string[]> {
  await quiet(page);
  const words = /(^|[ “(])(the|of|and|is|was|not|with|from|by|this|VAT|Excise)([ .,:;”)]|$)/;
  return (await shown(page))
    .filter((text) => inEnglish(text) || words.test(text))
    .map((text) => `${page.url()}: ${text}`);
}

const accountOf = (id: string): Account => ({ id, uuid: uuidOf(id), apiKey: '', secret: '' });

describe('an authority', () => {
  it('is let in by two of the staff: one proposes, another approves, and the first one does it', async () => {
    const page = await site.openAs(ada, '/authorities');
    await page.getByRole('button', { name: 'Let an authority in' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Revenue Authority');
    await dialog.getByRole('combobox', { name: 'Country' }).fill('Nigeria');
    await page.getByRole('option', { name: 'Nigeria (NG)' }).click();
    await dialog.getByLabel('First day').fill('2026-01-01');
    await dialog.getByLabel('Access ends').fill('2030-01-01');
    await dialog.getByLabel('Reason').fill('audit of 2026');
    await dialog.getByRole('button', { name: 'Let in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('No authority').waitFor();
    const second = await site.openAs(bola, '/approvals?kind=AUTHORITY');
    const row = /Revenue Authority/;
    await second.getByRole('row', { name: row }).getByRole('button', { name: 'Approve' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await second.getByRole('row', { name: row }).getByText('Approved').waitFor();
    await site.go(page, '/approvals?kind=AUTHORITY');
    await page.getByRole('row', { name: row }).getByRole('button', { name: 'Let in' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Let in' }).click();
    await page.getByRole('row', { name: row }).getByText('Done').waitFor();
    await site.go(page, '/authorities');
    await site.look(page, 'authorities');
    await page.getByRole('link', { name: 'Revenue Authority' }).click();
    await page.getByRole('button', { name: 'Add a person' }).click();
    await dialog.getByLabel('Name').fill('Ime Inspector');
    await dialog.getByLabel('E-mail').fill('ime@revenue.example');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('textbox', { name: 'One-time password' }).waitFor();
    await dialog.getByRole('button', { name: 'I have passed it on' }).click();
    await page.getByRole('row', { name: /Ime Inspector/ }).waitFor();
    await site.look(page, 'authority');
  });

  it('has its pages in the navigation, each works, and shows nothing of another country', async () => {
    const [{ authorityId }] = contentOf(await site.test.get('/v1/admin/authority', site.operator.apiKey)).items;
    inspector = await site.makePerson({ name: 'Ngozi Inspector', psp: accountOf(authorityId), role: 'auditor' });
    const page = await site.openAs(inspector, '/');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
    expect((await links.allTextContents()).map((t) => t.trim())).toEqual(offered.map(([title]) => title));
    for (const [title, path] of [...offered, ['Security', '/security'] as const]) {
      await site.walk(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const here = await links.and(page.locator('[aria-current="page"]')).allTextContents();
      expect(here.map((t) => t.trim())).toEqual(title === 'Security' ? [] : [title]);
      expect([title, await page.getByText('This could not be shown').count()]).toEqual([title, 0]);
      expect([title, await page.getByText('There is no page at this address').count()]).toEqual([title, 0]);
      await expect.poll(() => page.getByRole('main').textContent()).not.toMatch(/Pay KE|KES|Kenya/);
      await site.look(page, `authority-${title.toLowerCase().replace(' ', '-')}`);
    }
  });

  it('finds a record and checks its receipt in the browser', async () => {
    const page = await site.openAs(inspector, '/authority');
    for (const ref of ['First Pay NG', 'Second Pay NG']) await page.getByRole('link', { name: ref }).waitFor();
    await page.getByRole('link', { name: 'First Pay NG' }).click();
    await page.getByRole('heading', { level: 1, name: 'First Pay NG' }).waitFor();
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText('The receipt is valid').waitFor();
    await site.look(page, 'authority-record');
  });

  it('reads that a declined sale bears no tax, and what it would have been', async () => {
    const client = await site.test.makeClient(psps[0] as Account);
    await setStanding(site.test, client, { operationalStanding: 'SUSPENDED' });
    contentOf(
      await site.test.post('/v1/transaction/verifyTransaction', sale('declined-order', 'NGN', 'NG'), client.apiKey),
    );
    await allSealed(site.test);
    const page = await site.openAs(inspector, '/authority?ref=declined-order');
    await page.getByText('none: declined').waitFor();
    await page.getByRole('link', { name: 'declined-order' }).click();
    await page.getByRole('heading', { name: 'Taxes, had it been approved' }).waitFor();
  });

  it('reads all that it sees in French, who chose it', async () => {
    const seen = (taxCodes: string | null) =>
      site.test.database.admin.query('UPDATE authorities SET tax_codes = $1', [taxCodes]);
    await seen('["VAT"]');
    site.test.advance(1000);
    const [{ transactionId }] = contentOf(
      await site.test.get('/v1/transaction?ref=declined-order', (psps[0] as Account).apiKey),
    ).items;
    const page = await site.openAs(inspector, '/authority');
    await inFrench(page);
    await page.getByText('Nigeria · TVA').waitFor();
    const wrong: string[] = [];
    const places = [
      ...offered.map(([, path]) => path),
      '/security',
      '/transactions',
      `/authority/records/${transactionId}`,
    ];
    for (const path of places) {
      await site.walk(page, path);
      wrong.push(...(await english(page)));
    }
    await page.getByRole('button', { name: 'Vérifier dans ce navigateur' }).click();
    await page.getByText('Le reçu est valide').waitFor();
    wrong.push(...(await english(page)));
    expect(wrong).toEqual([]);
    await seen(null);
    site.test.advance(1000);
  });

  it('draws a sample and checks all of its receipts', async () => {
    const page = await site.openAs(inspector, '/authority/sample');
    await page.getByLabel('Seed').fill('ours');
    await page.getByRole('button', { name: 'Draw' }).click();
    await page.getByText('Drawn with the seed ours').waitFor();
    await page.getByRole('button', { name: 'Check all receipts' }).click();
    await page.getByText('3 of 3 receipts hold').waitFor();
    await page.getByRole('link', { name: 'First Pay NG' }).click();
    await page.getByRole('heading', { level: 1, name: 'First Pay NG' }).waitFor();
    await page.goBack();
    await page.getByText('Drawn with the seed ours').waitFor();
    await page.getByRole('link', { name: 'Second Pay NG' }).waitFor();
  });

  it('sees calls and baskets where its view names them, and numbers in clear for a reason', async () => {
    const { test } = site;
    const psp = await test.makePsp('Carriers', 'UG');
    const telecom = await test.makeClient(psp, { countryCode: 'UG', registeredName: 'Telecom Uganda' });
    const call = {
      ...{ cdr_id: 'C-1', caller_number: '+256771000001', receiver_number: '+256701000002', call_type: 'VOICE' },
      ...{ call_start_time: '2026-11-20T10:00:00Z', call_end_time: '2026-11-20T10:01:30Z', call_duration_seconds: 90 },
      ...{ network_provider: 'MTN Uganda', billing_information: { call_cost: 100, currency: 'UGX' } },
    };
    contentOf(await test.post('/v1/telecom/recordCDR', call, telecom.apiKey));
    const item = { sku: 'S', title: 'Exercise book', description: '', quantity: 1, price: 118, subTotal: 118 };
    const money = { totalAmount: 118, paymentMethods: { card: 118 }, currency: 'UGX', countryCode: 'UG' };
    const basket = { ref: 'cart-1', items: [item], ...money };
    const { transactionId } = contentOf(await test.post('/v1/basket/submitBasket', basket, telecom.apiKey));
    await analysed(test, psp);
    const seeing = (country: string, kinds: string) =>
      test.database.admin.query('UPDATE authorities SET country = $1, record_kinds = $2', [country, kinds]);
    await seeing('UG', '["transaction","basket","cdr"]');
    test.advance(1000);
    const page = await site.openAs(inspector, `/authority/records/${transactionId}`);
    await page.getByText('Exercise book').waitFor();
    await page.getByRole('link', { name: 'Call records' }).click();
    await page.getByRole('link', { name: 'Telecom Uganda' }).first().click();
    await page.getByText('+2567710*****').waitFor();
    await site.look(page, 'authority-calls');
    await page
      .getByRole('row', { name: /\+2567710/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('button', { name: 'Show the numbers' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('order 12/2026 of the court');
    await page.getByRole('dialog').getByRole('button', { name: 'Show the numbers' }).click();
    for (const number of ['+256771000001', '+256701000002']) await page.getByText(number).waitFor();
    await site.look(page, 'authority-call');
    await inFrench(page);
    await page.getByText('Hors réseau').waitFor();
    const wrong = await english(page);
    await page.getByRole('button', { name: 'Afficher les numéros' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('court');
    await page.getByRole('dialog').getByRole('button', { name: 'Afficher les numéros' }).click();
    await page.getByRole('alert').first().waitFor();
    wrong.push(...(await english(page)));
    for (const path of ['/authority/calls', `/authority/records/${transactionId}`]) {
      await site.walk(page, path);
      wrong.push(...(await english(page)));
    }
    expect(wrong).toEqual([]);
    await seeing('NG', '["transaction","wager","payout"]');
    test.advance(1000);
  });

  it('is told that other pages are not there, and has no search', async () => {
    const page = await site.openAs(inspector, '/authority');
    await expect.poll(() => page.getByRole('button', { name: 'Search everything' }).count()).toBe(0);
    for (const path of [
      '/transactions',
      '/clients',
      '/keys',
      '/people',
      '/audit',
      '/authorities',
      '/reports',
      '/cases',
    ]) {
      await site.walk(page, path);
      await page.getByText('There is no page at this address').waitFor();
    }
  });

  it('is seen reading in the audit by staff, and no longer reads once its access has ended', async () => {
    const theirs = await site.openAs(inspector, '/authority');
    const page = await site.openAs(ada, '/authorities');
    await page.getByRole('link', { name: 'Revenue Authority' }).click();
    await page.getByRole('link', { name: 'In the audit' }).click();
    await page.getByText('Ngozi Inspector read for Revenue Authority').first().waitFor();
    await page
      .getByText(/^Record · recordId=txn_/)
      .first()
      .waitFor();
    await site.walk(page, '/people');
    await page.getByRole('row', { name: /Ngozi Inspector.*Revenue Authority/ }).waitFor();
    await site.go(page, '/authorities');
    await page.getByRole('link', { name: 'Revenue Authority' }).click();
    await page.getByRole('button', { name: 'End its access' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('audit done');
    await page.getByRole('dialog').getByRole('button', { name: 'End its access' }).click();
    await page.getByText('The access has ended').first().waitFor();
    site.test.advance(1000);
    await site.go(theirs, '/authority');
    await theirs.getByRole('button', { name: 'Sign in' }).first().waitFor();
    await theirs.getByLabel('E-mail').fill(inspector.email);
    await theirs.getByLabel('Password', { exact: true }).fill(inspector.password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByText('The account that you sign in for has ended or is suspended').waitFor();
  });
});

describe('people of other accounts', () => {
  it('have no page of authorities', async () => {
    const own = await site.makePerson({ psp: await site.test.makePsp('Third Pay'), name: 'Chidi Eze' });
    const page = await site.openAs(own, '/');
    for (const path of ['/authority', '/authority/sample']) {
      await site.walk(page, path);
      await page.getByText('There is no page at this address').waitFor();
    }
  });
});

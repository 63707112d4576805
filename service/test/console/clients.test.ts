// Clients in the console: registering one, suspending it so that its next transaction is declined,
// its tax profiles, its keys and history.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';

let site: Site;
let psp: Account;
let client: Account;
let ada: Person;
beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Example Pay');
  client = await site.test.makeClient(psp, { registeredName: 'Adunni Fabrics' });
  ada = await site.makePerson({ name: 'Ada Okafor' });
});
afterAll(() => site.stop());

const choose = () => ({ choose: { id: psp.id, name: 'Example Pay' } });
const verify = (ref: string, by = client) =>
  site.test.post(
    '/v1/transaction/verifyTransaction',
    {
      ref,
      totalAmount: 107.5,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: 107.5 },
      transactionFee: 1.5,
    },
    by.apiKey,
  );
/** The dash and its word for screen readers. */
const none = '–none';
const cellsOf = (row: Locator) => row.getByRole('cell').allTextContents();

describe('clients in the console', () => {
  it('are found by name', async () => {
    const page = await site.openAs(ada, '/clients', choose());
    await page.getByLabel('Name or registration number').fill('Adunni');
    await page.getByText('1 row shown').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Adunni Fabrics' }).waitFor();
    await site.look(page, 'clients');
    await page.getByLabel('Name or registration number').fill('nobody of this name');
    await page.getByText('No client matches').waitFor();
  });

  it('are suspended with a reason, and the next transaction is declined', async () => {
    expect((await verify('before')).body.content.status).toBe('APPROVED');
    const page = await site.openAs(ada, '/clients', choose());
    await page.getByRole('link', { name: 'Adunni Fabrics' }).click();
    await page.getByRole('heading', { level: 1, name: 'Adunni Fabrics' }).waitFor();
    await page.getByText('Would be approved').waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('licence lapsed');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Would be declined').first().waitFor();
    const declined = await verify('after');
    expect(declined.body.content.status).toBe('DECLINED');
    await page.getByText('licence lapsed').first().waitFor();
    await page.getByText('by Ada Okafor').first().waitFor();
    await site.look(page, 'client');
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await dialog.getByLabel('Reason').fill('licence renewed');
    await dialog.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByText('Would be approved').waitFor();
    expect((await verify('renewed')).body.content.status).toBe('APPROVED');
  });

  it('are held and let go again', async () => {
    const held = await site.test.makeClient(psp, { registeredName: 'Held Fabrics', registrationNumber: 'RC-9' });
    const page = await site.openAs(ada, `/clients/${held.id}`, choose());
    await page.getByRole('button', { name: 'Place a hold' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('AML_REVIEW');
    await dialog.getByLabel('Reason').fill('pattern of the week');
    await dialog.getByRole('button', { name: 'Place the hold' }).click();
    await page.getByText('Would be declined').first().waitFor();
    await page.locator('h1 + *').getByText('On hold').waitFor();
    // The service refuses both to reviewers, who are not offered them.
    const rita = await site.openAs(await site.makePerson({ role: 'reviewer' }), `/clients/${held.id}`, choose());
    await rita.getByText('pattern of the week').first().waitFor();
    for (const name of ['Place a hold', 'End', 'Suspend', 'Change level'])
      await expect.poll(() => rita.getByRole('button', { name, exact: true }).count()).toBe(0);
    await site.go(page, '/clients?standing=ON_HOLD');
    const row = page.getByRole('row', { name: /Held Fabrics/ });
    await row.getByText('On hold').waitFor();
    await expect.poll(() => row.getByText('Active').count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: 'Adunni Fabrics' }).count()).toBe(0);
    await site.go(page, '/clients?standing=ACTIVE');
    await page.getByRole('link', { name: 'Adunni Fabrics' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Held Fabrics' }).count()).toBe(0);
    await page.goto('/console/clients?standing=ON_HOLD');
    await page.getByRole('link', { name: 'Held Fabrics' }).click();
    await page.getByRole('heading', { level: 1, name: 'Held Fabrics' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/p/${psp.id}/clients/${held.id}`);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await dialog.getByLabel('Reason').fill('explained');
    await dialog.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('Would be approved').waitFor();
  });

  it('are registered, with key and secret shown once', async () => {
    const page = await site.openAs(ada, '/clients', choose());
    await page.getByRole('button', { name: 'Register a client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Register' }).click();
    await dialog.getByText('Needed').first().waitFor();
    await dialog.getByLabel('Registered name').fill('Bola Books');
    await dialog.getByLabel('Registration number').fill('RC-77');
    await dialog.getByRole('combobox', { name: 'Country' }).fill('Niger');
    await page.getByRole('option', { name: 'Nigeria (NG)' }).click();
    await dialog.getByLabel('Tax identification number').fill('12345678-0001');
    await dialog.getByLabel('E-mail').fill('books@example.com');
    await dialog.getByLabel('Telephone').fill('+2348030000001');
    await dialog.getByRole('button', { name: 'Register' }).click();
    const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    expect(key).toMatch(/^asy_/);
    expect((await site.test.get('/v1/client/verifyClientStatus', key)).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('link', { name: 'Bola Books' }).waitFor();
  });

  it('get further keys, which are taken back', async () => {
    const page = await site.openAs(ada, `/clients/${client.id}`, choose());
    await page.getByRole('button', { name: 'Issue a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it is for').fill('second shop');
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
    const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    expect((await site.test.get('/v1/client/verifyClientStatus', key)).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    const row = page.getByRole('row', { name: /second shop/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByLabel('Reason').fill('shop closed');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    site.test.advance(1_000);
    expect((await site.test.get('/v1/client/verifyClientStatus', key)).status).toBe(401);
  });

  it('are said not to be registered for the tax: the next sale bears none, and the history says so in words', async () => {
    const small = await site.test.makeClient(psp, { registeredName: 'Yaba Tailors', registrationNumber: 'RC-12' });
    const sale = async (ref: string) => contentOf(await verify(ref, small)).vatAmount;
    expect(await sale('assumed')).toBe(7.5);
    const page = await site.openAs(ada, `/clients/${small.id}`, choose());
    await page.getByText('No tax profile: counts as registered for VAT in every country').waitFor();
    await page.getByRole('button', { name: 'Set a tax profile' }).click();
    const dialog = page.getByRole('dialog');
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'Country', exact: true }).inputValue())
      .toBe('Nigeria (NG)');
    await dialog.getByRole('button', { name: 'Set', exact: true }).click();
    await dialog.getByText('Needed').waitFor();
    await dialog.getByText('A day, such as 2027-01-01').waitFor();
    await dialog.getByLabel('From').fill('2026-11-01');
    await dialog.getByLabel('No: its sales bear none').check();
    await dialog.getByRole('combobox', { name: 'Scheme' }).click();
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['None', 'Small business', 'Exempt sales only']);
    await page.getByRole('option', { name: 'Small business' }).click();
    await dialog.getByLabel('Part of the country').fill('ES-CN');
    await dialog.getByLabel('Reason').fill('turnover below NGN 100 million');
    await dialog.getByRole('button', { name: 'Set', exact: true }).click();
    await dialog.getByText("The country's code and that of the part").waitFor();
    await dialog.getByLabel('Part of the country').fill('');
    await site.look(page, 'client-tax-form');
    await dialog.getByRole('button', { name: 'Set', exact: true }).click();
    const row = page.getByRole('region', { name: 'Tax profiles' }).getByRole('row', { name: /Nigeria/ });
    await row.waitFor();
    expect(await cellsOf(row)).toEqual([
      'Nigeria',
      none,
      '1 Nov 2026',
      none,
      'No, charges no tax',
      'Small business',
      none,
      none,
      'Change',
    ]);
    expect(await sale('small')).toBe(0);
    const history = page.getByRole('list', { name: 'History' }).getByRole('listitem');
    const item = await history.filter({ hasText: 'turnover below NGN 100 million' }).textContent();
    expect(item).toContain('Tax profile in Nigeria from 1 Nov 2026: none → not registered, small business');
    expect(item).toContain('by Ada Okafor');

    await row.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByLabel('Yes: its sales bear the tax, unless all are exempt').check();
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Scheme' }).inputValue()).toBe('Standard rates');
    await dialog.getByLabel('Reason').fill('it registered after all');
    await dialog.getByRole('button', { name: 'Set', exact: true }).click();
    await history
      .filter({ hasText: 'not registered, small business → registered, standard rates' })
      .filter({ hasText: 'it registered after all' })
      .waitFor();
    expect(await sale('registered')).toBe(7.5);
    await site.go(page, `/audit?clientId=${small.id}`);
    await page.getByText('small business → registered, standard rates').waitFor();
    await expect.poll(() => page.getByText('[object').count()).toBe(0);
  });

  it('get a tax profile from an administrator of their PSP, with its number checked and its end shown', async () => {
    const owner = await site.makePerson({ name: 'Pelumi Owner', psp });
    const page = await site.openAs(owner, `/clients/${client.id}`);
    const dialog = page.getByRole('dialog');
    for (const [from, number] of [
      ['2026-01-01', 'B58378432'],
      ['2027-01-01', 'B58378431'],
    ] as const) {
      await page.getByRole('button', { name: 'Set a tax profile' }).click();
      await dialog.getByRole('combobox', { name: 'Country', exact: true }).fill('Spain');
      await page.getByRole('option', { name: 'Spain (ES)' }).click();
      await dialog.getByLabel('From').fill(from);
      await dialog.getByLabel('Tax number').fill(number);
      await dialog.getByLabel('Part of the country').fill('es-cn');
      await dialog.getByRole('combobox', { name: 'What it sells' }).click();
      await page.getByRole('option', { name: 'Restaurant meals' }).click();
      await dialog.getByLabel('Reason').fill('its restaurant in Las Palmas');
      await dialog.getByRole('button', { name: 'Set', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    }
    const rows = page.getByRole('region', { name: 'Tax profiles' }).getByRole('row', { name: /Spain/ });
    await rows.nth(1).waitFor();
    const shown = async (n: number) => (await cellsOf(rows.nth(n))).slice(1, 8);
    const [first, second] = [await shown(0), await shown(1)];
    expect(first).toEqual([
      'ES-CN',
      '1 Jan 2026',
      '31 Dec 2026',
      'Yes',
      'Standard rates',
      'B58378432 Not valid',
      'Restaurant meals',
    ]);
    expect(second).toEqual([
      'ES-CN',
      '1 Jan 2027',
      none,
      'Yes',
      'Standard rates',
      'B58378431 Valid',
      'Restaurant meals',
    ]);
    await site.look(page, 'client-tax');
  });

  it('are only looked at by an auditor', async () => {
    const auditor = await site.makePerson({ role: 'auditor', name: 'Uche Auditor' });
    const page = await site.openAs(auditor, `/clients/${client.id}`, choose());
    await page.getByRole('heading', { level: 2, name: 'Standing' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Issue a key' }).count()).toBe(0);
    await page.getByRole('row', { name: /Spain/ }).first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: /tax profile/i }).count()).toBe(0);
  });
});

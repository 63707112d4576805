// Rates, people and the audit in the console: sources of taxes, approval by a second person, roles, and who did what.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Person, type Site } from '../support/browser.ts';

let site: Site;
let psp: Account;
let ada: Person;
let kofi: Person;
beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Example Pay');
  ada = await site.makePerson({ name: 'Ada Okafor' });
  kofi = await site.makePerson({ name: 'Kofi Mensah' });
});
afterAll(() => site.stop());

describe('rates in the console', () => {
  it('show a country through time with every source', async () => {
    const page = await site.openAs(ada, '/rates?country=GH');
    await page.getByRole('heading', { level: 2, name: 'Ghana through time' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Rules and their sources' }).waitFor();
    await expect
      .poll(() => page.getByText('National Health Insurance Levy', { exact: true }).count())
      .toBeGreaterThan(0);
    await site.look(page, 'rates');
  });

  it('are changed by two people: one proposes, another approves', async () => {
    const page = await site.openAs(ada, '/rates?tab=fees');
    await page.getByRole('button', { name: 'Propose a row' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Row').fill('EXAMPLE-2027');
    await dialog.getByLabel('Percent').fill('0.9');
    await dialog.getByLabel('From').fill('2027-01-01');
    await dialog.getByLabel('Reason').fill('contract of 2027');
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Proposals' }).click();
    await page.getByText('Fee row EXAMPLE-2027').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    const other = await site.openAs(kofi, '/rates?tab=proposals');
    await site.look(other, 'proposals');
    await other.getByRole('button', { name: 'Approve' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await other.getByText('Approved', { exact: true }).waitFor();
    await other.getByRole('tab', { name: 'Fees' }).click();
    await other.getByText('EXAMPLE-2027').waitFor();
    await site.look(other, 'fees');
    const row = other.getByRole('row', { name: /EXAMPLE-2027/ });
    await row.getByRole('button', { name: 'Propose its end' }).click();
    await other.getByRole('dialog').getByLabel('Reason').fill('never signed');
    await other.getByRole('dialog').getByRole('button', { name: 'Propose its end' }).click();
    await other.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByText('End of fee row EXAMPLE-2027').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Fees' }).click();
    await page.getByText('EXAMPLE-2027').waitFor({ state: 'hidden' });
  });

  it('are corrected by two people: one proposes the days, another approves, and then it is made', async () => {
    const page = await site.openAs(ada, '/rates?tab=proposals');
    await page.getByRole('button', { name: 'Propose a correction' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Client or PSP').fill(psp.id);
    await dialog.getByLabel('Country taxed in').fill('ng');
    await dialog.getByLabel('First day').fill('2026-11-01');
    await dialog.getByLabel('Last day').fill('2026-11-20');
    await site.look(page, 'propose-correction');
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
    await dialog.getByText('Needed', { exact: true }).waitFor();
    await dialog.getByLabel('Reason').fill('the rate of the Finance Act was overlooked');
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    const subject = `Correction of NG ${psp.id} 2026-11-01 2026-11-20`;
    await page.getByRole('row', { name: subject }).getByText('Open').waitFor();
    const other = await site.openAs(kofi, '/rates?tab=proposals');
    const row = other.getByRole('row', { name: subject });
    await expect.poll(() => row.getByRole('button', { name: 'Make it' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Approve' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await row.getByRole('button', { name: 'Make it' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Make it' }).click();
    await other.getByText('Adjusted: 0 transactions').waitFor();
  });
});

describe('people in the console', () => {
  it('are added with a one-time password, given another role, and kept out', async () => {
    const page = await site.openAs(ada, '/people');
    await page.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Efua Boateng');
    await dialog.getByLabel('E-mail').fill('efua@example.com');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const password = await dialog.getByRole('textbox', { name: 'One-time password' }).inputValue();
    expect((await site.test.post('/v1/session', { email: 'efua@example.com', password })).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have passed it on' }).click();
    const row = page.getByRole('row', { name: /Efua Boateng/ });
    await row.getByText('Auditor').waitFor();
    await site.look(page, 'people');
    await row.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByLabel('Reason').fill('left the company');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    expect((await site.test.post('/v1/session', { email: 'efua@example.com', password })).status).toBe(401);
  });
});

describe('the audit in the console', () => {
  it('tells who did what and why, and shows the sealed checkpoint', async () => {
    const held = await site.test.makeClient(psp);
    const done = await site.test.post(
      `/v1/admin/account/${held.id}/standing`,
      { operationalStanding: 'SUSPENDED', reason: 'licence lapsed in October' },
      site.operator.apiKey,
    );
    expect(done.status, done.text).toBe(200);
    const page = await site.openAs(ada, '/audit', { choose: { id: psp.id, name: 'Example Pay' } });
    await page.getByText('licence lapsed in October').waitFor();
    await page.getByRole('region', { name: 'Signed checkpoint' }).waitFor();
    await site.look(page, 'audit');
    await page.getByText('Standing: Active → Suspended').waitFor();
    await page.getByRole('combobox', { name: 'Who', exact: true }).fill('Ada');
    await page.getByRole('option', { name: /Ada Okafor/ }).click();
    await page.getByText('licence lapsed in October').waitFor({ state: 'hidden' });
    await site.go(page, '/audit');
    await page.getByRole('combobox', { name: 'What', exact: true }).fill('holds');
    await page.getByRole('option', { name: 'Client or PSP changed (standing, holds, level)' }).click();
    await page.getByRole('link', { name: 'Client suspended' }).click();
    await page.getByText('Would be declined').first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/p/${psp.id}/clients/${held.id}`);
  });

  it('has the key of the seal replaced, and shows until when the one before signs', async () => {
    const page = await site.openAs(ada, '/audit', { choose: { id: psp.id, name: 'Example Pay' } });
    await page.getByRole('button', { name: 'Replace the key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Days for which both sign').fill('30');
    await dialog.getByLabel('Reason').fill('once a year');
    await site.look(page, 'replace-key');
    await dialog.getByRole('button', { name: 'Replace the key' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Key before, signs until').waitFor();
    const { former } = (await site.test.get('/v1/audit/key', psp.apiKey)).body.content;
    expect(former).toMatchObject([{ signsUntil: new Date(site.test.now() + 30 * 86_400_000).toISOString() }]);
    await site.look(page, 'audit-after-a-change-of-key');
    const all = await site.openAs(kofi, '/audit?kind=audit_key.rotated');
    await all.getByText(/ replaced the key of the seal$/).waitFor();
    await all.getByText('once a year').waitFor();
    const other = await site.openAs(await site.makePerson({ name: 'Esi Owusu', role: 'auditor' }), '/audit', {
      choose: { id: psp.id, name: 'Example Pay' },
    });
    await other.getByText('Key before, signs until').waitFor();
    await expect.poll(() => other.getByRole('button', { name: 'Replace the key' }).count()).toBe(0);
  });

  it('names the operator and the whole installation, and leads from their entries to pages that are there', async () => {
    const page = await site.openAs(ada, '/audit?kind=rates.changed');
    await page.getByRole('cell', { name: 'all accounts', exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Rates changed' }).first().click();
    await page.getByRole('heading', { level: 2, name: 'Nigeria through time' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/rates');
    await site.walk(page, '/audit?kind=user.created');
    await page
      .getByText(/ added a person to the operator$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Person added' }).first().click();
    await page.getByRole('cell', { name: /Kofi Mensah/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/people');
  });

  it('offers everybody where more than a page of people may sign in', async () => {
    for (let n = 0; n < 201; n++) await site.makePerson({ name: `Person ${n}`, role: 'auditor', fresh: true });
    const page = await site.openAs(ada, '/audit');
    const who = page.getByRole('combobox', { name: 'Who', exact: true });
    for (const name of ['Ada Okafor', 'Person 0', 'Person 200']) {
      await who.fill(name);
      await page.getByRole('option', { name: new RegExp(`^${name} `) }).waitFor();
    }
  });
});

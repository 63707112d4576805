// Players in the console: the policy is set, a player is excluded, looked up by another value, and let in again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
const asPsp = (path: string, body: unknown) => site.test.post(path, body, records.psp.apiKey);

describe('players', () => {
  it('are excluded, found by another of their values, and let in again, without their names in the address', async () => {
    const page = await open('/players');
    await page.getByRole('button', { name: 'Exclude a player' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('kip@example.com');
    await dialog.getByLabel('Telephone number').fill('+254700000001');
    await dialog.getByRole('button', { name: 'Exclude', exact: true }).click();
    await page.getByText('The player is excluded').waitFor();
    const one = page.getByRole('region', { name: 'One player' });
    await one.getByLabel('Telephone number').fill('+254 700 000 001');
    await one.getByRole('button', { name: 'Look up' }).click();
    await one.getByText('Excluded', { exact: true }).waitFor();
    await site.look(page, 'players');
    expect(page.url()).not.toContain('700');
    await one.getByRole('button', { name: 'End' }).first().click();
    await page.getByRole('dialog').getByLabel('Reason').fill('recorded for somebody else');
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    // The player asked for it: it waits, unless it was recorded by mistake.
    await page.getByText('The exclusion ends on the day that it shows').waitFor();
    await one.getByText('Excluded', { exact: true }).waitFor();
    await one.getByRole('button', { name: 'End' }).first().click();
    await page.getByRole('dialog').getByLabel('Reason').fill('recorded for somebody else');
    await page
      .getByRole('dialog')
      .getByLabel(/recorded by mistake/)
      .check();
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await one.getByText('Not excluded').waitFor();
  });

  it('show their limits with what is used, and the sums of their records', async () => {
    const limits = [{ kind: 'DEPOSIT', period: 'MONTH', currency: 'NGN', amount: 50_000 }];
    contentOf(await asPsp('/v1/player/limits', { subjects: ['email:lou@example.com'], limits }));
    const page = await open('/players');
    const one = page.getByRole('region', { name: 'One player' });
    await one.getByLabel('E-mail').fill('lou@example.com');
    await one.getByRole('button', { name: 'Look up' }).click();
    await one.getByText('Deposit limit').first().waitFor();
    await one.getByText('No payment or wager names this player.').waitFor();
  });

  it('are observed where staff say so, who cannot enforce anything', async () => {
    const page = await open('/players');
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Exclusions' }).click();
    await page.getByRole('option', { name: 'Observe' }).waitFor();
    await expect.poll(() => page.getByRole('option', { name: 'Enforce' }).count()).toBe(0);
    await page.getByRole('option', { name: 'Observe' }).click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('It applies from this moment on').waitFor();
    const { exclusions } = contentOf(await site.test.get('/v1/player/policy', records.psp.apiKey));
    expect(exclusions).toBe('OBSERVE');
  });
});

// Pages for staff of the operator: PSPs are created, suspended and closed, the state of the service is read, and a test
// tenant says on each page that it is one. A PSP's own people see none of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';

let site: Site;
let psp: Account;
let ada: Person;
let own: Person;

beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Lagoon Pay');
  ada = await site.makePerson();
  own = await site.makePerson({ psp, name: 'Bola Ade' });
});
afterAll(() => site?.stop());

const at = (path: string): Promise<Page> => site.openAs(ada, path);

describe('PSPs in the console', () => {
  it('creates one and shows its key once', async () => {
    const page = await at('/');
    await page.getByRole('link', { name: 'PSPs', exact: true }).click();
    await page.getByRole('region', { name: 'PSPs' }).getByText('Lagoon Pay').first().waitFor();
    await site.look(page, 'psps');
    await page.getByRole('button', { name: 'Create a PSP' }).click();
    await page.getByLabel('Name').fill('Harbour Pay');
    await page.getByRole('dialog').getByRole('combobox', { name: 'Country' }).fill('Kenya');
    await page.getByRole('option', { name: 'Kenya (KE)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog').getByText('Signing secret').waitFor();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('region', { name: 'PSPs' }).getByText('Harbour Pay').first().waitFor();
    const { items } = contentOf(await site.test.get('/v1/admin/account?kind=psp&mode=live', site.operator.apiKey));
    expect(items.map((p: { registeredName: string }) => p.registeredName)).toContain('Harbour Pay');
  });

  it('suspends one, with a reason, and reactivates it', async () => {
    const page = await at('/psps?mode=live');
    const row = page.getByRole('row').filter({ hasText: 'Harbour Pay' });
    await row.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel('Reason').fill('fees unpaid');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
    await row.getByText('Suspended').waitFor();
    await row.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByLabel('Reason').fill('fees paid');
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate', exact: true }).click();
    await row.getByRole('button', { name: 'Suspend' }).waitFor();
    await site.go(page, '/audit');
    for (const deed of ['PSP registered', 'PSP suspended', 'PSP reactivated'])
      await page.getByRole('row', { name: new RegExp(`${deed}.*Harbour Pay`) }).waitFor();
  });

  it('leads to the keys of one', async () => {
    const page = await at('/psps?mode=live');
    await page.getByRole('link', { name: 'Keys of Lagoon Pay' }).click();
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(page.url()).toContain(`/p/${psp.id}/keys`);
  });

  it('marks test tenants, and says on each of their pages that nothing is real', async () => {
    const key = { name: 'integration', mode: 'test' };
    const issued = contentOf(await site.test.post(`/v1/admin/account/${psp.id}/key`, key, site.operator.apiKey));
    const page = await at('/psps?mode=test');
    const row = page.getByRole('row').filter({ hasText: 'Lagoon Pay' });
    await row.getByText('Test', { exact: true }).waitFor();
    expect(
      await row
        .getByRole('button')
        .filter({ hasText: /Suspend|Close/ })
        .count(),
    ).toBe(0);
    await row.getByRole('link', { name: /^Transactions of/ }).click();
    for (const path of ['Transactions', 'Clients', 'Reports']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: path, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: path }).waitFor();
      await page.getByRole('note').getByText('Test mode.').waitFor();
    }
    await site.look(page, 'test-mode');
    const live = await site.openAs(ada, '/transactions', { choose: { id: psp.id, name: 'Lagoon Pay' } });
    await live.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
    await expect.poll(() => live.getByText('Test mode.').count()).toBe(0);
    // Its own people are told, too: nothing else tells it from the live account of the same name.
    const tess = await site.makePerson({ psp: { ...psp, id: issued.clientId }, name: 'Tess Tester' });
    const theirs = await site.openAs(tess, '/transactions');
    await theirs.getByText('Lagoon Pay (test)').waitFor();
    await theirs.getByRole('note').getByText('Test mode.').waitFor();
  });
});

describe('the state of the service in the console', () => {
  it('says of each part whether it is well, and what to do where it is not', async () => {
    const page = await at('/');
    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor();
    await page.getByRole('region', { name: 'Processes' }).getByText('1 process').waitFor();
    await page.getByText('Set BACKUP_DIR on one machine').waitFor();
    await site.look(page, 'status');
  });
});

describe("a PSP's own people", () => {
  it('are not offered the pages of staff', async () => {
    const page = await site.openAs(own, '/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Reports' }).waitFor();
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const names = await links.allInnerTexts();
    expect(names.filter((n) => ['PSPs', 'Status'].includes(n.trim()))).toEqual([]);
  });
});

describe('more PSPs than are listed', () => {
  it('are found by name at the top of each page, and are named there', async () => {
    const { admin } = site.test.database;
    const ids = Array.from({ length: 1_001 }, () => site.test.app.services.ids.next());
    await admin.query(
      `INSERT INTO accounts (psp_id, id, version, created_at, updated_at, access, secret_sealed, verification_level,
         operational_standing, holds, kind, name, country)
       SELECT n.id, n.id, a.version, a.created_at, a.updated_at, a.access, a.secret_sealed, a.verification_level,
         a.operational_standing, a.holds, a.kind, 'Numbered Pay ' || n.ordinal, a.country
       FROM accounts a, unnest($2::uuid[]) WITH ORDINALITY AS n(id, ordinal) WHERE a.id = $1`,
      [psp.uuid, ids],
    );
    const page = await at('/audit');
    const switcher = page.getByRole('combobox', { name: 'PSP whose records are shown' });
    await switcher.click();
    await page.getByRole('option').nth(49).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(50);
    await switcher.fill('lagoon');
    await page.getByRole('option', { name: 'Lagoon Pay', exact: true }).click();
    await page.waitForURL((url) => url.pathname === `/console/p/${psp.id}/audit`);
    await expect.poll(() => switcher.inputValue(), { timeout: 60_000 }).toBe('Lagoon Pay');
    await page.reload();
    await expect.poll(() => switcher.inputValue(), { timeout: 60_000 }).toBe('Lagoon Pay');
  });
});

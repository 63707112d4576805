// Approvals in the console: what one person proposes, another one approves, and the first one then does, once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { createUser } from '../../src/modules/users/change-user.ts';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';

let site: Site;
let psp: Account;
let ada: Person;
let bola: Person;
let chidi: Person;
let dayo: Person;
/** Somebody whom the command line let in: people whom one key let in count as one. */
async function letIn(name: string, { uuid: account }: Account): Promise<Person> {
  const { app, database, now } = site.test;
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  const { user, password } = await createUser(
    app.services,
    system,
    { email, name, role: 'administrator', account },
    now(),
  );
  await database.admin.query("UPDATE users SET password_kind = 'OWN' WHERE id = $1", [user.id]);
  return { email, password, userId: toWire('user', user.id) };
}

beforeAll(async () => {
  site = await openSite({ env: { REQUIRE_TWO_PERSONS: 'operator-keys,erasure' } });
  psp = await site.test.makePsp('Example Pay');
  ada = await letIn('Ada Okafor', site.operator);
  bola = await letIn('Bola Ade', site.operator);
  chidi = await letIn('Chidi Eze', psp);
  dayo = await letIn('Dayo Bello', psp);
});
afterAll(() => site.stop());

const answer = async (page: Page, row: RegExp, label: string): Promise<void> => {
  await page.getByRole('row', { name: row }).getByRole('button', { name: label }).click();
  await page.getByRole('dialog').getByRole('button', { name: label }).click();
};

describe('a key of an operator', () => {
  it('is proposed by one, approved by another, and shown once to the first', async () => {
    const first = await site.openAs(ada, '/approvals?kind=OPERATOR_KEY');
    await first.getByRole('button', { name: 'Propose a key' }).click();
    const dialog = first.getByRole('dialog');
    await dialog.getByLabel('What it is for').fill('night jobs');
    await dialog.getByLabel('Reason').fill('reports of the night');
    await dialog.getByRole('button', { name: 'Propose' }).click();
    const row = first.getByRole('row', { name: /night jobs/ });
    await row.getByText('Open').waitFor();
    await expect.poll(() => row.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    const second = await site.openAs(bola, '/approvals?kind=OPERATOR_KEY');
    await answer(second, /night jobs/, 'Approve');
    await second
      .getByRole('row', { name: /night jobs/ })
      .getByText('Approved')
      .waitFor();
    await expect.poll(() => second.getByRole('button', { name: 'Issue the key' }).count()).toBe(0);
    await site.go(first, '/approvals?kind=OPERATOR_KEY');
    await site.look(first, 'approvals');
    await answer(first, /night jobs/, 'Issue the key');
    const key = (await first.getByRole('group', { name: 'API key' }).textContent()) as string;
    expect((await site.test.get('/v1/admin/account', key)).status).toBe(200);
    await first.getByRole('button', { name: 'I have kept it' }).click();
    await row.getByText('Done').waitFor();
  });
});

describe('an erasure', () => {
  it('is proposed, approved and done by people of the PSP, without the person being named', async () => {
    const client = await site.test.makeClient(psp);
    const customer = { email: 'jane.roe@example.com', name: 'Jane Roe', phone: '+2348030000002' };
    const bet = { amount: 10, ref: 'bet-1', customer, ip: '102.0.2.44', type: 'sports' };
    contentOf(await site.test.post('/captureWager', bet, client.apiKey));
    const first = await site.openAs(chidi, '/approvals');
    await first.getByRole('button', { name: 'Propose an erasure' }).click();
    const dialog = first.getByRole('dialog');
    await dialog.getByLabel('Known by').fill('jane.roe');
    await dialog.getByLabel('Reason').fill('request of 20 November');
    await dialog.getByRole('button', { name: 'Propose' }).click();
    await dialog.getByText(/Each line begins with/).waitFor();
    await dialog.getByLabel('Known by').fill('email:jane.roe@example.com');
    await site.look(first, 'propose-erasure');
    await dialog.getByRole('button', { name: 'Propose' }).click();
    await first
      .getByRole('row', { name: /request of 20 November/ })
      .getByText('Open')
      .waitFor();
    await expect.poll(() => first.getByRole('main').textContent()).not.toContain('jane.roe');
    const second = await site.openAs(dayo, '/approvals');
    await answer(second, /request of 20 November/, 'Approve');
    await second
      .getByRole('row', { name: /request of 20 November/ })
      .getByText('Approved')
      .waitFor();
    await site.go(first, '/approvals');
    const row = first.getByRole('row', { name: /request of 20 November/ });
    await row.getByRole('button', { name: 'Erase' }).click();
    await dialog.getByLabel('Known by').fill('email:jane.roe@example.com');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await row.getByText('Done').waitFor();
    const found = await site.test.post('/v1/subject/find', { subjects: ['email:jane.roe@example.com'] }, psp.apiKey);
    const readable = contentOf(found).items.map((i: { readable: number }) => i.readable);
    expect(Math.max(...readable)).toBe(0);
  });
});

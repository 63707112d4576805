// An officer's day without a mouse: the way in with a second factor, a transaction found, a case worked and its closing
// proposed, and agreed to by another officer. Wherever Tab leads there is something to see, and the focus is never lost.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepOf } from '../../src/core/one-time-code.ts';
import { codeOf } from '../../src/platform/one-time-codes.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { makeRecords, type Records } from './records.ts';

let site: Site;
let records: Records;
let caseId: string;
let ngozi: Person;
let bola: Person;

beforeAll(async () => {
  site = await openSite();
  records = await makeRecords(site.test);
  ngozi = await site.makePerson({ name: 'Ngozi Eze', role: 'reviewer' });
  bola = await site.makePerson({ name: 'Bola Ade', role: 'reviewer' });
  await records.sale({ ref: 'large-order', totalAmount: 20000000, paymentMethods: { card: 19000000 } });
  await readersAtEnd(site.test, ['reviews', 'cases']);
  const { items } = contentOf(await site.test.get('/v1/case', records.psp.apiKey));
  caseId = items.find((c: { alerts: number }) => c.alerts === 2).caseId;
});
afterAll(() => site?.stop());

/** What is wrong with where the focus is: nothing has it, or nothing of it is to be seen. Behind the last part of the page is the browser. */
const unseen = `(() => {
  const e = document.activeElement;
  if (e === document.body) return '';
  const shown = e.matches('input') ? [e, ...(e.labels ?? []), e.parentElement] : [e];
  const inWindow = (s) => { const r = s.getBoundingClientRect(); return r.width > 1 && r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth; };
  const marked = (s) => { const c = getComputedStyle(s); return (c.outlineStyle !== 'none' && parseFloat(c.outlineWidth) > 0) || c.boxShadow !== 'none'; };
  const said = e.outerHTML.slice(0, 160);
  if (!shown.some(inWindow)) return 'not in the window: ' + said;
  return e.matches('input:not([type=radio], [type=checkbox]), textarea') || shown.some(marked) ? '' : 'not marked: ' + said;
})()`;

/** Presses Tab until it has the focus. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox' | 'radio' | 'combobox', name: string | RegExp) {
  // A dialog keeps the focus within it.
  const dialog = page.getByRole('dialog').filter({ visible: true });
  const within = (await dialog.count()) > 0 ? dialog : page;
  const goal = within.getByRole(role, { name, exact: true }).filter({ visible: true }).first();
  await goal.waitFor();
  for (let i = 0; i < 150; i++) {
    if (await goal.evaluate((e) => e.matches(':focus'))) return;
    await page.keyboard.press('Tab');
    expect(await page.evaluate(unseen)).toBe('');
  }
  throw new Error(`Tab does not lead to ${name}`);
}
async function press(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  await tabTo(page, role, name);
  await page.keyboard.press('Enter');
}
async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, 'textbox', name);
  await page.keyboard.type(text);
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
/** Waits until something of the page has the focus again, after what had it is gone. */
const kept = (page: Page) =>
  expect.poll(() => page.evaluate('document.activeElement !== document.body'), { timeout: 60_000 }).toBe(true);

describe('an officer without a mouse', () => {
  it('sets up an authenticator app, leaves, and signs in with its code', async () => {
    const page = await site.openAs(ngozi, '/security');
    await press(page, 'button', 'Set up an authenticator app');
    const secret = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '');
    await type(page, 'Code', codeOf(secret, stepOf(site.test.now())));
    await page.keyboard.press('Enter');
    await press(page, 'button', 'I have kept them');
    await page.getByText('Recovery codes left').waitFor();
    await kept(page);
    await press(page, 'button', /^Ngozi Eze/);
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    for (let i = 0; i < 20 && (await page.evaluate('document.activeElement.textContent')) !== 'Sign out'; i++)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Sign in');
    site.test.advance(30_000);
    await type(page, 'E-mail', ngozi.email);
    await type(page, 'Password', ngozi.password);
    await page.keyboard.press('Enter');
    await heading(page, 'Second step');
    await type(page, 'Code', codeOf(secret, stepOf(site.test.now())));
    await page.keyboard.press('Enter');
    await heading(page, 'Security and sessions');
    // What had the focus is gone with the form of the way in.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('is led to the field that is wrong, and to the rows that were asked for', async () => {
    const page = await site.openAs(bola, '/', { choose: { id: records.psp.id, name: records.pspName } });
    await press(page, 'button', /^Bola Ade/);
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    await page.getByLabel('Current password').fill('whatever it is');
    await press(page, 'button', 'Change password');
    const wrong = page.getByLabel('New password', { exact: true });
    await expect.poll(() => wrong.evaluate((e) => e.matches(':focus[aria-invalid="true"]'))).toBe(true);
    // What was typed is not lost by one key.
    await page.keyboard.press('Escape');
    await page.getByRole('alert').filter({ hasText: 'Press Escape again' }).waitFor();
    expect(await page.getByLabel('Current password').inputValue()).toBe('whatever it is');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    for (let n = 0; n < 52; n++) await records.sale({ ref: `row-${n}` });
    await site.walk(page, '/transactions?q=row-');
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/^row-\d+$/);
    expect(
      await page
        .getByRole('row')
        .nth(51)
        .getByRole('link')
        .evaluate((e) => e.matches(':focus')),
    ).toBe(true);
  });

  it('finds a transaction and the case behind it, works on it and proposes its end, to which another agrees', async () => {
    const page = await site.openAs(bola, '/');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
    await page.keyboard.type('large-order');
    await page.keyboard.press('Enter');
    await heading(page, 'large-order');
    await kept(page);
    await press(page, 'link', /^case \d/);
    await page.getByRole('button', { name: 'Assign to me' }).waitFor();
    expect(page.url()).toContain(caseId);
    await press(page, 'button', 'Assign to me');
    await page.getByRole('button', { name: 'Unassign' }).waitFor();
    await kept(page);
    await type(page, 'Another note', 'the buyer was asked for the invoice');
    await press(page, 'button', 'Add note');
    await page.getByRole('list', { name: 'Notes, files and actions' }).getByText('the buyer was asked').waitFor();
    await kept(page);
    await tabTo(page, 'radio', /./);
    await page.keyboard.press('Space');
    // Arrows choose within the group.
    const confirmed = page.getByRole('radio', { name: /^Confirmed: something is/ });
    for (let i = 0; i < 3 && !(await confirmed.isChecked()); i++) await page.keyboard.press('ArrowDown');
    await expect.poll(() => confirmed.isChecked()).toBe(true);
    await type(page, 'Why', 'a stolen card');
    await press(page, 'button', 'Close the case');
    await page.getByRole('heading', { name: 'A second person decides' }).waitFor();
    await kept(page);
    const second = await site.openAs(
      await site.makePerson({ name: 'Chidi Obi', role: 'reviewer' }),
      `/cases/${caseId}`,
    );
    await press(second, 'button', 'Agree');
    await second.getByRole('dialog').getByRole('button', { name: 'Agree' }).waitFor();
    await press(second, 'button', 'Agree');
    await second.getByRole('button', { name: 'Reopen the case' }).waitFor();
    await kept(second);
    const closed = contentOf(await site.test.get(`/v1/case/${caseId}`, records.psp.apiKey));
    expect(closed).toMatchObject({ state: 'CLOSED', outcome: 'CONFIRMED' });
  });
});

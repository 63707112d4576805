// Signing in to the console, also by keyboard, choosing a password, signing out, and the pages that visitors see.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../support/browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.stop());

const fill = async (page: Awaited<ReturnType<Site['open']>>, email: string, password: string) => {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
};

describe('the door of the console', () => {
  it('is read at both widths and in both schemes, without faults of accessibility', async () => {
    const page = await site.open('/');
    await site.look(page, 'sign-in');
    expect(await page.title()).toBe('Sign in · Assay');
  });

  it('lets a person in, and shows what was asked for', async () => {
    const person = await site.makePerson({ name: 'Grace Adeyemi' });
    const page = await site.open('/no-such-page');
    await fill(page, person.email, person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'No such page' }).waitFor();
    await page.getByRole('link', { name: 'Go to the overview', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('says why it keeps somebody out, and nothing of whom it knows', async () => {
    const person = await site.makePerson();
    const page = await site.open('/');
    await fill(page, person.email, 'not the password of Ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const known = await page.getByRole('alert').textContent();
    await fill(page, 'nobody@example.com', 'not the password of Ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in', disabled: false }).waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe(known);
  });

  it('asks for what is missing before it asks the service', async () => {
    const page = await site.open('/');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Type your e-mail address').waitFor();
    await page.getByText('Type your password').waitFor();
  });

  it('has a one-time password changed before anything is shown', async () => {
    const person = await site.makePerson({ fresh: true });
    const page = await site.open('/');
    await fill(page, person.email, person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Choose a password' }).waitFor();
    await site.look(page, 'new-password');
    await page.getByRole('textbox', { name: 'Current password' }).fill(person.password);
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a river of plain words');
    await page.getByRole('textbox', { name: 'New password again' }).fill('a river of plain words');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('is passed by keyboard alone, and left so too', async () => {
    const person = await site.makePerson({ name: 'Kofi Mensah' });
    const page = await site.open('/');
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
    await page.getByRole('button', { name: 'Kofi Mensah' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    // A key that is pressed before the menu has the focus is lost.
    await expect
      .poll(async () => {
        const at = await page.evaluate('document.activeElement.textContent');
        if (at !== 'Sign out') await page.keyboard.press('ArrowDown');
        return at;
      })
      .toBe('Sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('is where a person stands again whose session has ended', async () => {
    const person = await site.makePerson();
    const page = await site.openAs(person, '/');
    await site.test.database.admin.query('DELETE FROM sessions');
    site.test.advance(13 * 3_600_000);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('is passed again by the same person without loss of what was typed, and by another with nothing of theirs', async () => {
    const [ada, other] = [await site.makePerson({ name: 'Ada Okafor' }), await site.makePerson()];
    const page = await site.openAs(ada, '/people');
    const dialog = page.getByRole('dialog', { name: 'Add a person' });
    const end = async () => {
      await site.test.database.admin.query('DELETE FROM sessions');
      site.test.advance(13 * 3_600_000);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('status').getByText('Your session has ended.').waitFor();
      await expect.poll(() => dialog.count()).toBe(0);
      await expect.poll(() => page.getByRole('heading', { name: 'People' }).count()).toBe(0);
    };
    await page.getByRole('button', { name: 'Add a person' }).click();
    await dialog.getByLabel('Name').fill('Grace Adeyemi');
    await dialog.getByLabel('E-mail').fill('grace@example.com');
    await end();
    await expect.poll(() => page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(ada.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(ada.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Grace Adeyemi');
    await end();
    await fill(page, other.email, other.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    const values = await page.evaluate<string[]>("[...document.querySelectorAll('input')].map((i) => i.value)");
    expect(values).not.toContain('Grace Adeyemi');
  });
});

describe('a page whose service does not answer now', () => {
  it.each([
    ['cannot be reached', "Promise.reject(new TypeError('away'))", 'The service cannot be reached.'],
    [
      'refuses further calls for a while',
      `Promise.resolve(Response.json({ success: false, message: 'too many' }, { status: 429 }))`,
      'Too many requests at once.',
    ],
  ])('because it %s keeps what is typed, says so, and is brought up to date', async (_, answer, said) => {
    const page = await site.openAs(await site.makePerson(), '/people');
    await page.addInitScript(`{
      const reach = window.fetch;
      window.fetch = (...asked) => (window.away ? ${answer} : reach(...asked));
    }`);
    await site.go(page, '/people');
    const dialog = page.getByRole('dialog', { name: 'Add a person' });
    await page.getByRole('button', { name: 'Add a person' }).click();
    await dialog.getByLabel('Name').fill('Grace Adeyemi');
    // A person who comes back to the tab has the page read again.
    await site.setTime(page, site.test.now() + 60_000);
    await page.evaluate("window.away = true; window.dispatchEvent(new Event('visibilitychange'))");
    const bar = page.getByText(`${said} What you see was read before`);
    await bar.waitFor();
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Grace Adeyemi');
    await page.evaluate('window.away = false');
    await bar.waitFor({ state: 'detached' });
  });
});

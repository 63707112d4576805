// One's own sign-in in the console: an authenticator app, recovery codes, passkeys by the browser's own authenticator,
// sessions, and a second factor that is required or was lost.
import jsQR from 'jsqr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepOf } from '../../src/core/one-time-code.ts';
import { codeOf } from '../../src/platform/one-time-codes.ts';
import { openSite, type Page, type Person, type Site } from '../support/browser.ts';
import { startProvider, type TestProvider } from '../support/provider.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function firstStep(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await button(page, 'Sign in').click();
}

/** What a camera reads in the QR code on the page, by another implementation than the one that drew it. */
async function scanned(page: Page): Promise<string> {
  const png = await page.getByRole('img', { name: /^QR code/ }).screenshot();
  // As text: a list of numbers is made ready for its journey one by one, which takes half a second.
  const { pixels, width, height } = await page.evaluate<{
    pixels: string;
    width: number;
    height: number;
  }>(`(async () => {
    const bytes = Uint8Array.fromBase64('${png.toString('base64')}');
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    return { pixels: new Uint8Array(data.buffer).toBase64(), width, height };
  })()`);
  return jsQR.default(new Uint8ClampedArray(Buffer.from(pixels, 'base64')), width, height)?.data ?? 'no QR code';
}

/** Sets up an authenticator app on the page; returns its secret and the recovery codes. */
async function setUpApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await button(page, 'Set up an authenticator app').click();
  await page.getByRole('img', { name: /^QR code/ }).waitFor();
  const secret = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '');
  const address = new URL(await scanned(page));
  expect([address.protocol, address.host, address.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', secret]);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, stepOf(site.test.now())));
  await button(page, 'Confirm').click();
  const codes = page.getByRole('group', { name: 'Recovery codes' }).locator('pre');
  await codes.first().waitFor();
  return { secret, recoveryCodes: await codes.allInnerTexts() };
}

describe('an authenticator app', () => {
  it('is set up, asked for at the next sign-in, and replaced once by each recovery code', async () => {
    const person = await site.makePerson({ name: 'Grace Adeyemi' });
    const page = await site.openAs(person, '/security');
    await heading(page, 'Security and sessions');
    await site.look(page, 'security');
    await button(page, 'Set up an authenticator app').click();
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    await site.look(page, 'security-scan');
    await page.getByLabel('Code', { exact: true }).fill('12345');
    await button(page, 'Confirm').click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('not the code of this moment');
    await site.go(page, '/security');

    const { secret, recoveryCodes } = await setUpApp(page);
    expect(recoveryCodes).toHaveLength(10);
    await button(page, 'I have kept them').click();
    await page.getByText('Recovery codes left').waitFor();
    await site.look(page, 'security-protected');

    await button(page, 'Grace Adeyemi')
      .or(page.getByRole('button', { name: /^Grace Adeyemi/ }))
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    site.test.advance(30_000);
    await firstStep(page, person);
    await heading(page, 'Second step');
    await site.look(page, 'second-step');
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await button(page, 'Sign in').click();
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('second step is wrong');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, stepOf(site.test.now())));
    await button(page, 'Sign in').click();
    await heading(page, 'Security and sessions');

    await page.getByRole('button', { name: /^Grace Adeyemi/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await firstStep(page, person);
    await button(page, 'Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] as string);
    await button(page, 'Sign in').click();
    await heading(page, 'Security and sessions');
    await page.getByText('9', { exact: true }).waitFor();
  });
});

describe('a passkey', () => {
  it('is added by the browser’s authenticator, signs in alone, is renamed, and signs in no more once removed', async () => {
    const person = await site.makePerson({ name: 'Kofi Mensah' });
    const page = await site.open('/');
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    // A passkey belongs to a name, not to an address.
    const home = site.test.address.replace('127.0.0.1', 'localhost');
    await page.goto(`${home}/console/security`);
    await firstStep(page, person);
    await heading(page, 'Security and sessions');
    await button(page, 'Add a passkey').click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByLabel('Name of the passkey').fill('Laptop');
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    await button(page, 'I have kept them').click();
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor();
    await site.look(page, 'security-passkey');

    const signOut = async () => {
      await page.getByRole('button', { name: /^Kofi Mensah/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in');
    };
    await signOut();
    site.test.advance(1000);
    await button(page, 'Use a passkey').click();
    await heading(page, 'Security and sessions');
    await page.getByRole('table', { name: 'Sessions' }).getByText('Passkey').waitFor();

    await signOut();
    site.test.advance(1000);
    await firstStep(page, person);
    await button(page, 'Use a passkey').click();
    await heading(page, 'Security and sessions');
    await page.getByText('Password and passkey').waitFor();

    await button(page, 'Rename').click();
    const renaming = page.getByRole('dialog', { name: 'Rename “Laptop”' });
    await renaming.getByLabel('Name of the passkey').fill('Old laptop');
    await renaming.getByRole('button', { name: 'Rename' }).click();
    const row = page.getByRole('row', { name: /^Old laptop/ });
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await signOut();
    await button(page, 'Use a passkey').click();
    await page.getByRole('alert').filter({ hasText: 'This passkey is not known here' }).waitFor();
    await cdp.detach();
  });
});

describe('a sign-in provider', () => {
  /** With a provider for the operator's people. */
  async function atProvider(work: (provider: TestProvider) => Promise<void>): Promise<void> {
    const { address, app } = site.test;
    const provider = await startProvider([`${address}/console/sign-in/provider`]);
    const { issuer, clientId, clientSecret } = provider;
    const named = { name: 'acme', label: 'Acme', issuer, clientId, clientSecret, account: site.operator.uuid };
    const before = { ...app.services.settings };
    Object.assign(app.services.settings, {
      baseUrl: address,
      signInProviders: [{ ...named, secondFactor: 'never' }],
    });
    try {
      await work(provider);
    } finally {
      Object.assign(app.services.settings, before);
      await provider.stop();
    }
  }

  it('leads back to the page that was asked for, also with a second step, and says why it let nobody in', () =>
    atProvider(async (provider) => {
      const person = await site.makePerson({ name: 'Ngozi Bello' });
      const page = await site.open('/people');
      await heading(page, 'Sign in');
      await site.look(page, 'sign-in-provider');
      provider.who = { sub: 'ngozi', email: 'stranger@example.com', email_verified: true };
      await button(page, 'Continue with Acme').click();
      await page.getByRole('alert').filter({ hasText: 'Nobody of this account signs in' }).waitFor();
      expect(page.url()).not.toContain('code=');

      provider.who = { ...provider.who, email: person.email };
      await site.go(page, '/people');
      await button(page, 'Continue with Acme').click();
      await heading(page, 'People');
      await site.go(page, '/security');
      const { secret } = await setUpApp(page);
      await button(page, 'I have kept them').click();
      await page.getByRole('button', { name: /^Ngozi Bello/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      site.test.advance(30_000);
      await button(page, 'Continue with Acme').click();
      await heading(page, 'Second step');
      await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, stepOf(site.test.now())));
      await button(page, 'Sign in').click();
      await heading(page, 'Security and sessions');
      await page.getByText('Sign-in provider and code').waitFor();
    }));

  it('is visited in another tab by somebody whose session has ended, so that nothing typed is lost', () =>
    atProvider(async (provider) => {
      const person = await site.makePerson({ name: 'Ifeoma Eze' });
      const page = await site.openAs(person, '/people');
      const dialog = page.getByRole('dialog', { name: 'Add a person' });
      await button(page, 'Add a person').click();
      await dialog.getByLabel('Name').fill('Grace Adeyemi');
      await dialog.getByLabel('E-mail').fill('grace@example.com');
      await site.test.database.admin.query('DELETE FROM sessions');
      site.test.advance(13 * 3_600_000);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      provider.who = { sub: 'ifeoma', email: person.email, email_verified: true };
      const opened = page.context().waitForEvent('page');
      await button(page, 'Continue with Acme').click();
      await page.getByRole('status').getByText('Sign in in the tab that has opened').waitFor();
      await heading(await opened, 'People');
      await dialog.waitFor();
      await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Grace Adeyemi');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await page
        .getByText('Shown this once')
        .or(page.getByRole('dialog').getByText('grace@example.com'))
        .first()
        .waitFor();
      expect(
        await site.test.database.admin.query("SELECT 1 FROM users WHERE email = 'grace@example.com'"),
      ).toHaveLength(1);
    }));
});

describe('sessions', () => {
  it('are shown with this one marked, and all others are ended from here', async () => {
    const person = await site.makePerson({ name: 'Bola Ige' });
    const page = await site.openAs(person, '/security');
    const session = await site.test.post('/v1/session', { email: person.email, password: person.password });
    expect(session.status).toBe(200);
    await site.go(page, '/security');
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await rows.filter({ hasText: 'This one' }).waitFor();
    // The heading, and a session from when the person was made.
    await expect.poll(() => rows.count()).toBe(4);
    // The test itself signed in; the browser has its cookie.
    await expect.poll(() => rows.filter({ hasText: 'This one' }).innerText()).toContain('Program on Node');
    await button(page, 'End all others').click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('All other sessions have ended').waitFor();
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] as string;
    expect((await site.test.get('/v1/session', undefined, { cookie })).status).toBe(401);
    // This one goes on, under a cookie that the browser was given, and may change things.
    await rows.filter({ hasText: 'Chrome on Linux' }).filter({ hasText: 'This one' }).waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await button(page, 'Set up an authenticator app').click();
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
  });

  it('of others are seen and ended by an administrator, who also resets a lost second factor', async () => {
    const lost = await site.makePerson({ name: 'Chidi Eze' });
    const page = await site.openAs(lost, '/security');
    await setUpApp(page);
    await button(page, 'I have kept them').click();
    const admin = await site.openAs(await site.makePerson({ name: 'Ada Obi' }), '/people');
    const row = admin.getByRole('row', { name: /^Chidi Eze/ });
    await row.getByText('Second factor').waitFor();
    await row.getByRole('button', { name: 'Sign-in' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Sign-in of Chidi Eze' });
    await dialog.getByText('Chrome on Linux').waitFor();
    await site.look(admin, 'person-sign-in');
    // A narrow page shows cards in place of rows.
    await row.getByRole('button', { name: 'Sign-in' }).click();
    await dialog.getByRole('button', { name: 'Reset second factor' }).click();
    const sure = admin.getByRole('dialog', { name: 'Remove every second factor of Chidi Eze?' });
    await sure.getByLabel('Reason').fill('lost the telephone');
    await sure.getByRole('button', { name: 'Reset second factor' }).click();
    await dialog.getByText('Chidi Eze is not signed in anywhere.').waitFor();
    await dialog.getByText('No second factor is set up.').waitFor();
  });
});

describe('a second factor that is required', () => {
  let strict: Site;
  beforeAll(async () => {
    strict = await openSite({ env: { REQUIRE_SECOND_FACTOR: 'all' } });
  });
  afterAll(() => strict.stop());

  it('is set up before anything else is shown', async () => {
    const person = await strict.makePerson();
    const page = await strict.openAs(person, '/people');
    await heading(page, 'Set up a second factor');
    await strict.look(page, 'set-up-second-factor');
    await button(page, 'Set up an authenticator app').click();
    const secret = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, stepOf(strict.test.now())));
    await button(page, 'Confirm').click();
    await heading(page, 'Keep your recovery codes');
    await button(page, 'I have kept them').click();
    await heading(page, 'People');
  });
});

// A person at the console: a real service, the built console, a real browser, somebody signed in. What a browser
// complains of (errors, refusals of the content policy, uncaught exceptions) fails the test that comes to `stop`.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Account, makeTestApp, type TestApp, type TestOptions } from './app.ts';
import { alone, builtConsole } from './console-build.ts';

export type { Page } from 'playwright-core';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
}

export interface PersonOptions {
  readonly role?: 'administrator' | 'reviewer' | 'auditor';
  readonly name?: string;
  /** Whose staff; the operator's without it. */
  readonly psp?: Account;
  /** Still with the one-time password. */
  readonly fresh?: boolean;
}

export interface PageOptions {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** The PSP in the address, as an operator's choice at the top of the page puts it there. */
  readonly choose?: { readonly id: string; readonly name: string };
}

export interface Site {
  readonly test: TestApp;
  readonly operator: Account;
  /** Somebody who may sign in. */
  makePerson(options?: PersonOptions): Promise<Person>;
  /** A page of a browser of its own, with nobody signed in; `path` is below /console. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** A page with somebody signed in. */
  openAs(person: Person, path: string, options?: PageOptions): Promise<Page>;
  /** Goes to another address of the console. */
  go(page: Page, path: string): Promise<void>;
  /** Both widths and both schemes: nothing scrolls sideways, axe finds nothing serious. Writes screenshots. */
  look(page: Page, name: string): Promise<void>;
  /** Complaints of all browsers so far. */
  readonly complaints: readonly string[];
  /** Ends everything; fails if a browser complained. */
  stop(): Promise<void>;
}

/** Where screenshots go, if anywhere: SCREENSHOTS=/some/folder. */
const shots = process.env.SCREENSHOTS;
const password = 'six plain words make a password';

export async function openSite(options: TestOptions = {}): Promise<Site> {
  await builtConsole();
  const test = await makeTestApp(options);
  const operator = await test.makeOperator();
  const browser = await launch();
  const complaints: string[] = [];
  /** The address that a page's paths are below: with the PSP chosen, if any. */
  const roots = new WeakMap<Page, string>();
  let people = 0;

  async function makePerson({ role = 'administrator', name, psp, fresh = false }: PersonOptions = {}): Promise<Person> {
    const email = `person${++people}@example.com`;
    const made = await test.post(
      '/v1/admin/user',
      { email, name: name ?? 'Ada Okafor', role, ...(psp ? { accountId: psp.id } : {}) },
      operator.apiKey,
    );
    expect(made.status, made.text).toBe(200);
    const person = { email, userId: made.body.content.user.userId as string };
    const once = made.body.content.password as string;
    if (fresh) return { ...person, password: once };
    const session = await test.post('/v1/session', { email, password: once });
    const changed = await test.post(
      '/v1/session/password',
      { currentPassword: once, newPassword: password },
      undefined,
      {
        cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '',
        'x-csrf-token': session.body.content.csrfToken,
      },
    );
    expect(changed.status, changed.text).toBe(200);
    return { ...person, password };
  }

  async function newPage(person: Person | undefined, path: string, o: PageOptions): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width: o.width ?? 1280, height: 860 },
      colorScheme: o.scheme ?? 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Africa/Lagos',
      baseURL: test.address,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(60_000);
    await context.clock.setFixedTime(test.now());
    if (person) await signInByCookie(context, test, person);
    const page = await context.newPage();
    listen(page, complaints);
    roots.set(page, o.choose ? `/console/p/${o.choose.id}` : '/console');
    await page.goto(`${roots.get(page)}${path}`);
    await settled(page);
    return page;
  }

  return {
    test,
    operator,
    complaints,
    makePerson,
    open: (path, o = {}) => newPage(undefined, path, o),
    openAs: (person, path, o = {}) => newPage(person, path, o),
    async go(page, path) {
      await page.goto(`${roots.get(page) ?? '/console'}${path}`);
      await settled(page);
    },
    look,
    async stop() {
      await browser.close();
      await test.stop();
      expect(complaints).toEqual([]);
    },
  };
}

async function launch(): Promise<Browser> {
  const executablePath = await alone(() => chromium.executablePath());
  return driver.launch({
    executablePath,
    // The package's own typefaces, so that pages are as wide on every machine.
    env: { ...process.env, FONTCONFIG_PATH: join(tmpdir(), 'fonts') },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

async function signInByCookie(
  context: BrowserContext,
  test: TestApp,
  { email, password: word }: Person,
): Promise<void> {
  const session = await test.post('/v1/session', { email, password: word });
  expect(session.status, session.text).toBe(200);
  const [name = '', value = ''] = session.headers.getSetCookie()[0]?.split(';')[0]?.split('=') ?? [];
  await context.addCookies([{ name, value, url: test.address, httpOnly: true, sameSite: 'Strict' }]);
}

function listen(page: Page, complaints: string[]): void {
  // A refusal that the page shows is no fault of the page; browsers note each all the same.
  const refusal = /^Failed to load resource: the server responded with a status of 4\d\d/;
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type()) && !refusal.test(m.text()))
      complaints.push(`${page.url()} said ${m.type()}: ${m.text()}`);
  });
  page.on('pageerror', (e) => complaints.push(`${page.url()} threw ${e.stack ?? e.message}`));
}

/** Waits until the page is there and nothing of it is still being asked for. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'hidden' });
}

export const widths = [1280, 390] as const;
export const schemes = ['light', 'dark'] as const;

async function look(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const width of widths) {
    await resize(page, width);
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await settled(page);
      const where = `${name} at ${width} px, ${scheme}`;
      if (shots) await screenshot(page, join(shots, `${name}-${width}-${scheme}.png`), width);
      const [wide, seen] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect(wide, `${where}: the page scrolls sideways`).toBeLessThanOrEqual(seen);
      // Dark differs from light in its colours alone, and narrow does in all but them.
      const part = scheme === 'dark' ? 'colours' : width === 390 ? 'layout' : 'all';
      if (width !== 390 || scheme !== 'dark') expect(await faults(page, part), where).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}

/** Another width, and the page drawn in it: a browser applies a new width a frame or two later. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 860 });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** The whole page in one window as high as it is: what stands at the window's edge then stands at the page's. */
async function screenshot(page: Page, path: string, width: number): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(860, Math.min(height, 4000)) });
  mkdirSync(join(path, '..'), { recursive: true });
  await page.screenshot({ path });
}

/** Serious and critical faults of accessibility, each with the first place it is found at. */
export async function faults(page: Page, part: 'all' | 'colours' | 'layout' = 'all'): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (part === 'colours') axe.withRules(['color-contrast']);
  if (part === 'layout') axe.disableRules(['color-contrast']);
  const { violations } = await axe.analyze();
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.help}; ${v.nodes[0]?.html.slice(0, 300)} ${v.nodes[0]?.failureSummary ?? ''}`);
}

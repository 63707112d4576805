// A person at the console: a real service, the built console, a real browser and a session. If a browser reports
// errors, violations of the content policy or uncaught exceptions, `stop` fails the test file.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContext,
  type Cookie,
  type Disposable,
  chromium as driver,
  type Page,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type Account, makeTestApp, type TestApp, type TestOptions } from './app.ts';
import { alone, builtConsole } from './console-build.ts';
import { deep } from './depth.ts';
import { becomes, look, noteRequests, settled } from './look.ts';

export type { Page } from 'playwright-core';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
}

export interface PersonOptions {
  readonly role?: 'administrator' | 'reviewer' | 'auditor' | 'member';
  readonly name?: string;
  /** The PSP or client that the person works for; the operator by default. */
  readonly psp?: Account;
  /** Whether the person still has the one-time password. */
  readonly fresh?: boolean;
}

export interface PageOptions {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** The PSP in the address, as if an operator had chosen it at the top of the page. */
  readonly choose?: { readonly id: string; readonly name: string };
  /** In a browser that has loaded nothing before. */
  readonly unvisited?: boolean;
}

export interface Site {
  readonly test: TestApp;
  readonly operator: Account;
  /** Creates a person who may sign in. */
  makePerson(options?: PersonOptions): Promise<Person>;
  /** Opens a page without a session; `path` is below /console. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /**
   * Opens a page with a person's session, loaded from its address. A page that no test uses is used again, with the session
   * that its person had there: a browser context of its own takes half a second of the processor.
   */
  openAs(person: Person, path: string, options?: PageOptions): Promise<Page>;
  /** Opens another address of the console. */
  go(page: Page, path: string): Promise<void>;
  /** Sets the time that a page sees, which is otherwise the test's when the page was opened. */
  setTime(page: Page, ms: number): Promise<void>;
  /** Goes to another page as a link does: the console stays loaded, which takes a third of the time of `go`. */
  walk(page: Page, path: string): Promise<void>;
  /**
   * Checks both widths and both colour schemes: nothing scrolls sideways, and axe finds nothing serious. The dark scheme of
   * other pages than a file's first is checked by `npm run check:deep`.
   */
  look(page: Page, name: string): Promise<void>;
  /** Errors that browsers have reported so far. */
  readonly complaints: readonly string[];
  /** Closes everything; fails if a browser reported an error. */
  stop(): Promise<void>;
}

const password = 'six plain words make a password';

export async function openSite(options: TestOptions = {}): Promise<Site> {
  await builtConsole();
  const test = await makeTestApp(options);
  const operator = await test.makeOperator();
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  /** The base address of a page's paths: with the chosen PSP, if any. */
  const roots = new WeakMap<Page, string>();
  /** Pages that no test uses, by width and colour scheme, and the cookies of their context by person. */
  const idle = new Map<string, Page[]>();
  const jars = new WeakMap<Page, Map<string, Cookie[]>>();
  const times = new WeakMap<Page, Disposable>();
  let people = 0;
  let dark = true;

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

  async function newPage(o: PageOptions): Promise<Page> {
    const context = await (await browserOfWorker()).newContext({
      viewport: { width: o.width ?? 1280, height: 860 },
      colorScheme: o.scheme ?? 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Africa/Lagos',
      baseURL: test.address,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    contexts.push(context);
    context.setDefaultTimeout(180_000);
    const page = await context.newPage();
    jars.set(page, new Map());
    listen(page, complaints);
    noteRequests(page);
    return page;
  }

  async function enter(person: Person | undefined, path: string, o: PageOptions = {}): Promise<Page> {
    const key = [o.width, o.scheme].join();
    const unused = idle.get(key) ?? [];
    // The one that the person left, if any: its session is the one that the person goes on with.
    const at = person ? unused.findLastIndex((p) => jars.get(p)?.has(person.userId)) : -1;
    const page = (o.unvisited ? undefined : unused.splice(at, 1)[0]) ?? (await newPage(o));
    // A failed test, such as one that timed out, may still use its page, so the page is closed.
    onTestFinished(({ task }) => (task.result?.state === 'fail' ? page.context().close() : leave(page, person, key)));
    if (person) await beSignedIn(page, person);
    roots.set(page, o.choose ? `/console/p/${o.choose.id}` : '/console');
    await showTime(page, test.now());
    await go(page, path);
    return page;
  }

  /** Fixes the time that documents see which are loaded after it, in all tabs of the page's context. */
  async function showTime(page: Page, ms: number): Promise<void> {
    await times.get(page)?.dispose();
    times.set(page, await page.context().addInitScript(timeOf(ms)));
  }

  async function beSignedIn(page: Page, person: Person): Promise<void> {
    const kept = jars.get(page)?.get(person.userId);
    if (kept) await page.context().addCookies(kept);
    else await signInByCookie(page.context(), test, person);
  }

  async function go(page: Page, path: string): Promise<void> {
    await page.goto(`${roots.get(page)}${path}`);
    await settled(page);
  }

  async function walk(page: Page, path: string): Promise<void> {
    await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
    await becomes(
      page,
      '(({ status, location, resolvedLocation }) => status === "idle" && location === resolvedLocation)(__TSR_ROUTER__.state)',
    );
    await settled(page);
  }

  /** Makes a page available to the next test, with the state of a fresh browser. */
  async function leave(page: Page, person: Person | undefined, key: string): Promise<void> {
    const context = page.context();
    const others = context.pages().filter((p) => p !== page);
    await Promise.all(others.map((p) => p.close()));
    if (person) jars.get(page)?.set(person.userId, await context.cookies());
    await context.clearCookies();
    await page.unrouteAll();
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    idle.set(key, [...(idle.get(key) ?? []), page]);
  }

  return {
    test,
    operator,
    complaints,
    makePerson,
    go,
    async setTime(page, ms) {
      await showTime(page, ms);
      await page.evaluate(timeOf(ms));
    },
    walk,
    look(page, name) {
      const first = dark;
      dark = deep;
      return look(page, name, first);
    },
    open: (path, o) => enter(undefined, path, o),
    openAs: enter,
    async stop() {
      await Promise.all(contexts.map((c) => c.close()));
      await test.stop();
      expect(complaints).toEqual([]);
    },
  };
}

/**
 * Fixes what `Date` says is now. Playwright's clock stands in for all timers too, which takes a tenth of each page's load and
 * of each change of it.
 */
const timeOf = (ms: number): string => `{
  globalThis.timeOfTest ??= (() => {
    const time = {};
    globalThis.Date = new Proxy(Date, {
      construct: (real, given) => new real(...(given.length > 0 ? given : [time.now])),
      apply: (real) => new real(time.now).toString(),
      get: (real, name) => (name === 'now' ? () => time.now : real[name]),
    });
    return time;
  })();
  timeOfTest.now = ${ms};
}`;

let browser: Promise<Browser> | undefined;

/** The browser for all files of a worker: launched for the first one, and closed with the worker. */
export function browserOfWorker(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

async function launch(): Promise<Browser> {
  const executablePath = await alone(() => chromium.executablePath());
  const launched = await driver.launch({
    executablePath,
    // Uses the package's own fonts, so that text has the same width on every machine.
    env: { ...process.env, FONTCONFIG_PATH: join(tmpdir(), 'fonts') },
    // SIGTERM would end the browser before its worker; without its worker the browser ends by itself.
    handleSIGTERM: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Each page is loaded anew and soon left: compiling its code for speed, and tidying little memory often, takes longer
      // than what they save.
      '--js-flags=--no-opt,--no-maglev,--min-semi-space-size=32',
    ],
  });
  process.once('SIGTERM', () => {
    void launched.close().finally(() => process.kill(process.pid, 'SIGTERM'));
  });
  return launched;
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
  // Browsers also log replies with status 4xx, which are not errors of the page.
  const refusal = /^Failed to load resource: the server responded with a status of 4\d\d/;
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type()) && !refusal.test(m.text()))
      complaints.push(`${page.url()} said ${m.type()}: ${m.text()}`);
  });
  page.on('pageerror', (e) => complaints.push(`${page.url()} threw ${e.stack ?? e.message}`));
}

// Benchmark of the console: how long each page takes in a browser, opened by its address, in an installation that runs
// (`--url http://127.0.0.1:3000 --email … `, the password in CONSOLE_PASSWORD). It follows the links of the pages, one
// of each kind, so it needs no list of them. `assay demo --scale 22` makes some 100,000 transactions to look at.
// Prints figures; never part of the tests.
import chromium from '@sparticuz/chromium';
import { chromium as driver, type Page } from 'playwright-core';
import { median } from './quantile.ts';

const given = (name: string): string => {
  const value = process.argv[process.argv.indexOf(`--${name}`) + 1];
  if (!process.argv.includes(`--${name}`) || value === undefined) throw new Error(`give --${name}`);
  return value;
};
const base = given('url').replace(/\/$/, '');
const rounds = 3;
/** Far more kinds of pages than there are: links lead round in circles, and this ends it if they should not. */
const mostPages = 200;

const browser = await driver.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox'] });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: base });
const page = await context.newPage();
await page.goto('/console/');
await page.getByLabel('E-mail').fill(given('email'));
await page.getByRole('textbox', { name: 'Password' }).fill(process.env.CONSOLE_PASSWORD ?? '');
await page.getByRole('button', { name: 'Sign in', exact: true }).click();
await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' });

interface Row {
  readonly kind: string;
  readonly ms: number;
  readonly most: number;
  readonly calls: number;
  readonly slowest: string;
}
const rows: Row[] = [];
const asked = new Set<string>();
const queue = ['/console/'];
for (let at = queue.shift(); at !== undefined && asked.size < mostPages; at = queue.shift()) {
  const kind = kindOf(at);
  if (asked.has(kind)) continue;
  asked.add(kind);
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push(await open(page, at));
  const requests = await callsOf(page);
  const [slowest] = requests.toSorted((a, b) => b.ms - a.ms);
  rows.push({
    kind,
    ms: median(times),
    most: Math.max(...times),
    calls: requests.length,
    slowest: slowest ? `${slowest.ms.toFixed(0).padStart(5)} ms ${slowest.path}` : '',
  });
  const found = await page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="/console"]')].map((a) => a.href)`,
  );
  queue.push(...found.map((href) => href.slice(new URL(href).origin.length)));
}
await browser.close();

console.log('median   most  calls  page, and its slowest call');
for (const r of rows.toSorted((a, b) => b.ms - a.ms))
  console.log(
    `${r.ms.toFixed(0).padStart(6)} ${r.most.toFixed(0).padStart(6)} ${String(r.calls).padStart(6)}  ${r.kind.padEnd(64)} ${r.slowest}`,
  );
console.log(`${rows.length} kinds of pages; over a second: ${rows.filter((r) => r.ms > 1000).length}`);

/** Milliseconds until the page stands with all that it shows. */
async function open(on: Page, path: string): Promise<number> {
  const started = performance.now();
  await on.goto(path);
  await on.locator('h1').first().waitFor();
  await on.locator('[aria-busy="true"]').first().waitFor({ state: 'hidden' });
  return performance.now() - started;
}

/** The page's calls of the API, by the browser's own clock. */
function callsOf(on: Page): Promise<readonly { path: string; ms: number }[]> {
  return on.evaluate(`performance.getEntriesByType('resource')
    .filter((e) => new URL(e.name).pathname.startsWith('/v1/'))
    .map((e) => ({ path: new URL(e.name).pathname, ms: e.duration }))`);
}

/** The address without what names one record, filter or cursor: pages of one kind have one. */
function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, base);
  const tab = searchParams.get('tab');
  const kind = pathname
    .replace(/\/p\/[^/]+/, '')
    .replace(/[a-z]{2,5}_[0-9a-z]{26}/g, '$id')
    .replace(/\/persons\/[^/]+/, '/persons/$id')
    .replace(/\/[A-Z][A-Z0-9_-]+/g, '/$code');
  return `${kind}${tab === null ? '' : `?tab=${tab}`}`;
}

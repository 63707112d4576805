// Checks how a page looks: rendered, not wider than the window, accessible, in both colour schemes.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Result, RunOptions } from 'axe-core';
import type { CDPSession, Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { deep } from './depth.ts';

/** The folder for screenshots, if any: SCREENSHOTS=/some/folder. */
const shots = process.env.SCREENSHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const height = 860;
const [wide, narrow] = [1280, 390] as const;

/**
 * Waits until an expression holds in a page. `waitForFunction` of Playwright evaluates again inside the page, which the
 * content policy forbids, so that it only ever passes when the condition holds at first.
 */
export const becomes = async (page: Page, expression: string): Promise<void> =>
  expect.poll(() => page.evaluate(`Boolean(${expression})`), { timeout: 60_000 }).toBe(true);

/** Waits until the page is shown and no request is in flight. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'hidden' });
}

/** Moves the pointer over the bars of a chart, from 0 at their left to 1 at their right, and returns the note of that bar. */
export async function noteAt(page: Page, chart: Locator, share: number): Promise<Locator> {
  const grid = chart.locator('.recharts-cartesian-grid');
  await grid.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await grid.boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(x + 1 + (width - 2) * share, y + height / 2, { steps: 3 });
  return chart.locator('.recharts-tooltip-wrapper');
}

/** Requests of each page that have no answer yet. */
const inFlight = new WeakMap<Page, Set<Request>>();

/**
 * Waits until the page is shown and has nothing more to ask for: no request is in flight, and none begins within two
 * rounds of drawing. Playwright's own `networkidle` waits half a second each time, whatever happens.
 */
export async function quiet(page: Page): Promise<void> {
  const open = inFlight.get(page) as Set<Request>;
  for (let rounds = 0; rounds < 2; rounds = open.size === 0 ? rounds + 1 : 0) {
    await settled(page);
    await drawn(page);
  }
}

/** Notes the requests of a new page for `quiet`. */
export function noteRequests(page: Page): void {
  const open = new Set<Request>();
  page.on('request', (r) => open.add(r));
  page.on('requestfinished', (r) => open.delete(r));
  page.on('requestfailed', (r) => open.delete(r));
  inFlight.set(page, open);
}

/**
 * Expects that nothing scrolls sideways at either width, and that axe finds nothing serious. The dark scheme differs
 * only in colours, so only these are checked. The bar and the drawer of narrow pages are checked in their own tests
 * (`faultless`), the rest of each narrow page in `npm run check:deep`.
 * @param dark whether the dark scheme is checked; all pages have its colours from one theme
 */
export async function look(page: Page, name: string, dark: boolean): Promise<void> {
  const before = page.viewportSize();
  for (const width of [wide, narrow]) {
    await resize(page, width);
    await settled(page);
    const where = `${name} at ${width} px`;
    if (shots) await screenshot(page, join(shots, `${name}-${width}-light.png`), width);
    const [needed, seen] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    expect(needed, `${where}: the page scrolls sideways`).toBeLessThanOrEqual(seen);
    if (width === wide || deep)
      expect(await faults(page, width === wide ? 'all' : 'layout'), `${where}, light`).toEqual([]);
    if (!shots && (width === narrow || !dark)) continue;
    await paint(page, 'dark');
    if (shots) await screenshot(page, join(shots, `${name}-${width}-dark.png`), width);
    if (width === wide) expect(await faults(page, 'colours'), `${where}, dark`).toEqual([]);
    await paint(page, 'light');
  }
  if (before) await resize(page, before.width);
}

/** Expects that the page as shown now has no serious accessibility error. */
export async function faultless(page: Page, where: string, part: 'all' | 'colours' = 'all'): Promise<void> {
  await drawn(page);
  expect(await faults(page, part), where).toEqual([]);
}

/** Sets the width, and waits until the page is rendered. */
export async function resize(page: Page, width: number): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height });
  await drawn(page);
}

/** Sets the colour scheme, and waits until the page is rendered. */
async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await drawn(page);
}

/**
 * Waits until a new width or scheme is applied, which takes a frame or two, and until colour transitions have ended.
 */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => {
    for (const a of document.getAnimations()) if (a instanceof CSSTransition) a.finish();
  })`);
}

/**
 * Takes a screenshot in a window as high as the page, so that elements fixed to the window's edge are at the page's.
 */
async function screenshot(page: Page, path: string, width: number): Promise<void> {
  const needed = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(height, Math.min(needed, 4000)) });
  mkdirSync(join(path, '..'), { recursive: true });
  await page.screenshot({ path });
  await resize(page, width);
}

const rules: Record<'all' | 'colours' | 'layout', RunOptions> = {
  all: {},
  colours: { runOnly: { type: 'rule', values: ['color-contrast'] } },
  layout: { rules: { 'color-contrast': { enabled: false } } },
};

const withoutLesser = `axe.configure({
  rules: axe._audit.rules.filter((r) => /^(minor|moderate)$/.test(r.impact)).map(({ id }) => ({ id, enabled: false })),
})`;

/**
 * The script has half a megabyte, so it is loaded once for each document, and as a script: the browser keeps the compiled
 * code of one for the next document, and not that of a text that Playwright evaluates.
 */
async function loadAxe(page: Page): Promise<void> {
  let session = sessions.get(page);
  if (!session) sessions.set(page, (session = page.context().newCDPSession(page)));
  await (await session).send('Runtime.evaluate', { expression: `${axe};${withoutLesser};0` });
}

/** One for each page, which ends with it: the end of one earlier takes the page's authenticator away. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Serious and critical accessibility errors, each with the first place where it occurs. */
async function faults(page: Page, part: 'all' | 'colours' | 'layout'): Promise<string[]> {
  // What is busy is faded until it is what was asked for. Rules whose errors are never serious need not run.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await loadAxe(page);
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules[part] });
  const violations = await page.evaluate<Result[]>(
    `axe.run({ exclude: [['[aria-busy="true"]']] }, ${options}).then((r) => r.violations)`,
  );
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.help}; ${v.nodes[0]?.html.slice(0, 300)} ${v.nodes[0]?.failureSummary ?? ''}`);
}

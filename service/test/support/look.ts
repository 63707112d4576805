// A page as it is seen: drawn, as wide as the window, free of faults of accessibility, in both schemes.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { deep } from './depth.ts';

/** Where screenshots go, if anywhere: SCREENSHOTS=/some/folder. */
const shots = process.env.SCREENSHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const height = 860;
const [wide, narrow] = [1280, 390] as const;

/** Waits until the page is there and nothing of it is still being asked for. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'hidden' });
}

/**
 * Nothing scrolls sideways at either width, and axe finds nothing serious. Dark differs from light in its colours
 * alone, so that only those are looked at. The bar and the drawer that narrow pages have in common are looked at where
 * they are tested (`faultless`); all else of each narrow page in `npm run check:deep`.
 */
export async function look(page: Page, name: string): Promise<void> {
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
    if (width === narrow && !shots) continue;
    await paint(page, 'dark');
    if (shots) await screenshot(page, join(shots, `${name}-${width}-dark.png`), width);
    if (width === wide) expect(await faults(page, 'colours'), `${where}, dark`).toEqual([]);
    await paint(page, 'light');
  }
  if (before) await resize(page, before.width);
}

/** What of a page is there right now has no serious fault of accessibility. */
export async function faultless(page: Page, where: string): Promise<void> {
  await drawn(page);
  expect(await faults(page, 'all'), where).toEqual([]);
}

/** Another width, and the page drawn in it. */
export async function resize(page: Page, width: number): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height });
  await drawn(page);
}

/** Another scheme, and the page drawn in it. */
async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await drawn(page);
}

/** A browser applies a new width or scheme a frame or two after it is given; colours on their way to others are let arrive. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => {
    for (const a of document.getAnimations()) if (a instanceof CSSTransition) a.finish();
  })`);
}

/** The whole page in one window as high as it is: what stands at the window's edge then stands at the page's. */
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

/** Serious and critical faults of accessibility, each with the first place it is found at. */
async function faults(page: Page, part: 'all' | 'colours' | 'layout'): Promise<string[]> {
  // Half a megabyte, which a page is given once.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules[part] });
  const violations = await page.evaluate<Result[]>(`axe.run(document, ${options}).then((r) => r.violations)`);
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${v.help}; ${v.nodes[0]?.html.slice(0, 300)} ${v.nodes[0]?.failureSummary ?? ''}`);
}

// Whether a page of the console is in French: what it shows, and which of it is in English.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { settled } from './look.ts';

const catalogue = JSON.parse(readFileSync(new URL('../../../console/src/words/fr.json', import.meta.url), 'utf8')) as {
  texts: Record<string, string>;
};

/** Texts that a person sees or hears, but not what is quoted as code. */
export const shown = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const found = [document.title];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = texts.nextNode(); n; n = texts.nextNode())
      if (!n.parentElement.closest('script, style, noscript, pre, code, [lang="en"]')) found.push(n.data);
    for (const e of document.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder']) found.push(e.getAttribute(name) ?? '');
    return found.map((text) => text.trim().replaceAll('·\\u00a0', '· ')).filter((text) => text !== '');
  })()`);

const quoted = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
/** Keys without places as they are, and those that still have five words around their places as patterns. */
const english = Object.keys(catalogue.texts).filter((key) => catalogue.texts[key] !== key);
const whole = new Set(
  english.filter((key) => /^[A-Z]| /.test(key) && !key.includes('{')).map((key) => key.replace(/\|\w+$/, '')),
);
const patterns = english
  .filter((key) => /\{/.test(key) && key.replace(/\{\w+\}/g, '').split(/[a-z]{2,}/).length > 5)
  .map(
    (key) =>
      new RegExp(
        `^${key
          .split(/\{\w+\}/)
          .map(quoted)
          .join('.+')}$`,
      ),
  );
const isFrench = new Set(Object.values(catalogue.texts));
export const inEnglish = (text: string) =>
  !isFrench.has(text) && (whole.has(text) || patterns.some((p) => p.test(text)));

/** Shows a page again in French. */
export async function inFrench(page: Page): Promise<void> {
  await page.evaluate(`localStorage.setItem('assay-language', 'fr')`);
  await page.reload();
  await settled(page);
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('fr');
}

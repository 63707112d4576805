// A page of the browser that shows a document by itself, without a service or a session.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserOfWorker, type Page } from './browser.ts';

export type { Page };

export async function blankPage(): Promise<Page> {
  const context = await (await browserOfWorker()).newContext({ colorScheme: 'light', locale: 'en-GB' });
  return await context.newPage();
}

/** Writes a printed document beside the screenshots, if they are asked for: SCREENSHOTS=/some/folder. */
export function keepPicture(name: string, bytes: Uint8Array): void {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
}

/** Keeps a picture of a page, which is taken only if it is asked for. */
export async function keepShot(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS) keepPicture(name, await page.screenshot());
}

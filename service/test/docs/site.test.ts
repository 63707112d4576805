// The documentation as the service serves it: whole, without a link that leads nowhere, found by search, and readable on
// every screen.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../support/browser.ts';
import { deep } from '../support/depth.ts';
import { faultless, resize } from '../support/look.ts';
import { keepShot } from '../support/paper.ts';

const root = join(import.meta.dirname, '../../..');
const description = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
  readonly paths: Record<string, Record<string, { operationId: string; tags: string[]; summary: string }>>;
  readonly components: { readonly schemas: Record<string, { properties?: Record<string, unknown> }> };
};
const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site?.stop());

const get = (path: string) => site.test.raw(path, {});
const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
const tagPage = (tag: string) => `/docs/api/${tag.toLowerCase().replaceAll(' ', '-')}`;

describe('the documentation', () => {
  it('has no link that leads nowhere, from the first page on', async () => {
    const pages = new Map<string, string>();
    const todo = ['/docs'];
    const wanted: [from: string, path: string, anchor: string][] = [];
    for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
      if (pages.has(path)) continue;
      const { status, text, headers } = await get(path);
      expect(status, path).toBe(200);
      pages.set(path, text);
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      for (const [, href = ''] of text.matchAll(/href="([^"]+)"/g)) {
        if (!/^(?:\/docs|#)/.test(href)) continue;
        const [to = '', anchor] = href.replaceAll('&amp;', '&').split('#');
        const target = to === '' ? path : to;
        todo.push(target);
        if (anchor !== undefined) wanted.push([path, target, anchor]);
      }
    }
    // Each page is read once: thousands of links lead into pages of a megabyte.
    const anchors = new Map([...pages].map(([path, text]) => [path, new Set(idsIn(text))]));
    expect(wanted.filter(([, path, anchor]) => !anchors.get(path)?.has(anchor))).toEqual([]);
    // All of the folder, all groups of operations, their objects.
    const own = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.md'));
    for (const file of own.filter((f) => !f.endsWith('README.md')))
      expect([...pages.keys()], file).toContain(`/docs/${file.slice(0, -3)}`);
  });

  it('leads from its first page to every guide', async () => {
    const { text } = await get('/docs');
    for (const folder of ['how-to', 'tutorial'])
      for (const file of readdirSync(join(root, 'docs', folder)))
        expect(text).toContain(`href="/docs/${folder}/${file.replace('.md', '')}"`);
  });

  it('has each operation with its fields, its refusals, and calls in five languages', async () => {
    const pages = new Map<string, string>();
    for (const tag of new Set(operations.map((o) => o.tags[0] as string)))
      pages.set(tag, (await get(tagPage(tag))).text);
    expect(operations.length).toBeGreaterThan(150);
    for (const o of operations) {
      const page = pages.get(o.tags[0] as string) ?? '';
      const section =
        page.split('<section class="operation" ').find((s) => s.startsWith(`id="${o.operationId}"`)) ?? '';
      for (const label of ['curl', 'TypeScript', 'Python', 'Java', 'PHP'])
        expect(section, `${o.operationId} in ${label}`).toContain(`>${label}</label>`);
      expect(section, o.operationId).toContain('<summary>Refusals</summary>');
      // What a placeholder was not found for would be left between braces.
      expect(section.match(/<code>[^<]*curl[^<]*\{\w+\}/g), o.operationId).toBeNull();
    }
    const verify = pages.get('Transactions') ?? '';
    for (const text of ['paymentMethods', 'UNKNOWN_MCC', 'await assay.verifyTransaction(', 'assay.verify_transaction('])
      expect(verify).toContain(text);
  });

  it('has a page for each object, with its fields, and where it is used', async () => {
    const { schemas } = description.components;
    expect(Object.keys(schemas).length).toBeGreaterThan(400);
    const list = (await get('/docs/api/objects')).text;
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      expect(list).toContain(`href="/docs/api/objects/${name}"`);
      const { text } = await get(`/docs/api/objects/${name}`);
      for (const field of Object.keys(properties)) expect(text, name).toContain(`<code>${field}</code>`);
      // All operations refuse and succeed in the same form, which the first page describes.
      if (!['Problem', 'Success'].includes(name)) expect(text, name).toContain('Where it is used');
    }
    const { text } = await get('/docs/api/objects/Basket');
    expect(text).toContain('href="/docs/api/baskets#getBasket"');
  });

  it('serves nothing but its pages', async () => {
    for (const path of [
      '/docs/..%2fpackage.json',
      '/docs/%2e%2e/package.json',
      '/docs/how-to/../../package.json',
      '/docs/how-to/operate.md',
      '/docs/constructor',
      '/docs/__proto__',
      '/docs/api/objects/constructor',
    ]) {
      const { status, text } = await get(path);
      expect(status, path).toBe(404);
      expect(text).not.toContain('"workspaces"');
    }
    expect((await get('/docs/nowhere')).text).toContain('There is no such page');
    expect((await get('/docs/try')).text).toContain('swagger-ui');
  });
});

describe('in a browser', () => {
  it('is searched by the keyboard alone', async () => {
    const page = await site.open('/');
    await page.goto('/docs');
    for (const [typed, lands] of [
      ['charge back', /\/docs\/api\/transactions#chargeBack$/],
      ['signature webhook', /webhook/],
      ['REF_CONFLICT', /\/docs\/reference\/refusals/],
      ['scheduled backups', /operate/],
    ] as const) {
      await page.keyboard.press('/');
      await page.getByRole('searchbox').fill(typed);
      await page.locator('#found a').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(lands);
    }
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill('zzzzqqqq');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#found').isHidden()).toBe(true);
  });

  it('keeps the language of examples from page to page', async () => {
    const page = await site.open('/');
    await page.goto('/docs/api/transactions');
    await page.locator('#verifyTransaction').getByText('Python', { exact: true }).click();
    await page.goto('/docs/api/clients');
    await page.locator('#registerClient pre').getByText('assay.register_client(').waitFor();
  });

  it.each([
    '/docs',
    '/docs/api/transactions',
    '/docs/api/objects',
    '/docs/api/objects/Transaction',
    '/docs/reference/events',
    '/docs/how-to/operate',
  ])('%s can be read on every screen', async (path) => {
    const page = await site.open('/');
    await page.goto(path);
    for (const width of [1440, 1280, 390]) {
      await resize(page, width);
      const [needed, seen] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect(needed, `sideways at ${width}`).toBeLessThanOrEqual(seen);
      await keepShot(page, `docs${path.replaceAll('/', '-')}-${width}.png`);
    }
    await faultless(page, `${path}, light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    // It differs only in colours. The other pages, some of 25,000 elements, have no other ones.
    if (deep || /Transaction$|operate$/.test(path)) await faultless(page, `${path}, dark`, 'colours');
    await keepShot(page, `docs${path.replaceAll('/', '-')}-dark.png`);
    await page.emulateMedia({ colorScheme: 'light' });
  });
});

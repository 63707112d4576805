// The documentation that the service serves at /docs: the reference of its operations from the OpenAPI description, and
// the pages of the folder docs. Each page is made when it is first asked for.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Description, operationRows } from './description.ts';
import { type FramedPage, framed } from './frame.ts';
import { addressOf, type LinkGroup, linkGroups, linksOf, type MarkdownPage, renderMarkdown } from './markdown.ts';
import { objectPage, objectsPage, usersOf } from './objects.ts';
import { operationAddress, tagAddress, tagPage } from './reference.ts';
import { objectAddress, objectsAddress } from './schema-table.ts';

const folder = join(import.meta.dirname, '../../../../docs');
const home = 'README.md';

const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  sql: 'text/plain; charset=utf-8',
  png: 'image/png',
};

export interface Served {
  readonly type: string;
  readonly content: string | Buffer;
}

/** An entry of the search. */
export interface Entry {
  readonly id: number;
  /** Address with anchor. */
  readonly to: string;
  readonly title: string;
  readonly page: string;
  readonly text: string;
  readonly weight: number;
}

/** Characters of a part that are searched, enough for the longest table. */
const mostText = 20_000;

/** How much an entry counts: who searches is looking for an operation or a guide sooner than for a record. */
const weights: readonly (readonly [RegExp, number])[] = [
  [/^\/docs\/api\/objects/, 0.6],
  [/^\/docs\/api/, 2],
  [/^\/docs\/(?:how-to|tutorial)/, 1.6],
  [/^\/docs\/decisions/, 0.3],
  [/^\/docs\/reference\/examples/, 0.5],
];

export class DocsSite {
  readonly #files: ReadonlySet<string>;
  readonly #described: Description;
  readonly #pages = new Map<string, MarkdownPage>();
  readonly #served = new Map<string, Served>();
  readonly #make: ReadonlyMap<string, () => Served>;
  #navigation: readonly LinkGroup[] | undefined;
  #users: ReturnType<typeof usersOf> | undefined;

  /** @param described the OpenAPI description */
  constructor(described: Description) {
    this.#described = described;
    const found = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile())
      .map((f) =>
        join(f.parentPath, f.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      );
    this.#files = new Set(found.filter((f) => f.endsWith('.md') || (f.split('.').at(-1) as string) in types));
    const search = createRequire(import.meta.url).resolve('minisearch');
    const own = (name: string) => readFileSync(join(import.meta.dirname, 'browser', name));
    const script = 'text/javascript; charset=utf-8';
    this.#make = new Map<string, () => Served>([
      ...[...this.#files].map((f) => [addressOf(f), () => this.#file(f)] as const),
      ['/docs/docs.js', () => ({ type: script, content: own('docs.js') })],
      ['/docs/docs.css', () => ({ type: 'text/css; charset=utf-8', content: own('docs.css') })],
      ['/docs/minisearch.js', () => ({ type: script, content: readFileSync(join(dirname(search), '../es/index.js')) })],
      ['/docs/search.json', () => ({ type: types.json as string, content: JSON.stringify(this.entries()) })],
    ]);
  }

  /** Undefined if there is no such page. @param address its path */
  at(address: string): Served | undefined {
    let served = this.#served.get(address);
    if (served === undefined) {
      served = (this.#make.get(address) ?? this.#reference(address))?.();
      if (served) this.#served.set(address, served);
    }
    return served ?? this.#object(address);
  }

  /** The page that says that there is none. */
  missing(): Served {
    const html =
      '<h1>There is no such page</h1><p>The address may be of another version. Search above, or begin with the <a href="/docs">first page</a>.</p>';
    return this.#framed({ title: 'No such page', html, at: '', on: [] });
  }

  #reference(address: string): (() => Served) | undefined {
    const d = this.#described;
    if (address === objectsAddress) return () => this.#framed(objectsPage(d));
    const tag = d.tags.find(({ name }) => tagAddress(name) === address);
    return tag === undefined ? undefined : () => this.#framed(tagPage(d, tag));
  }

  /** Made whenever it is asked for: there are hundreds, each with the frame around it. */
  #object(address: string): Served | undefined {
    const name = address.startsWith(objectAddress('')) ? address.slice(objectAddress('').length) : '';
    if (name === '') return undefined;
    this.#users ??= usersOf(this.#described);
    const page = objectPage(this.#described, name, this.#users);
    return page && this.#framed(page);
  }

  #file(file: string): Served {
    const type = types[file.split('.').at(-1) as string];
    if (type !== undefined) return { type, content: readFileSync(join(folder, file)) };
    const page = this.#page(file);
    return this.#framed({
      ...page,
      at: addressOf(file),
      on: page.parts.flatMap(({ heading: h }) => (h?.depth === 2 ? [{ title: h.text, id: h.id }] : [])),
    });
  }

  #text = (file: string): string => readFileSync(join(folder, file), 'utf8');

  #page(file: string): MarkdownPage {
    let page = this.#pages.get(file);
    if (page === undefined) {
      page = renderMarkdown(this.#text(file), linksOf(file, this.#files));
      this.#pages.set(file, page);
    }
    return page;
  }

  #framed = (page: FramedPage): Served => ({
    type: 'text/html; charset=utf-8',
    content: framed(page, this.navigation),
  });

  /** The groups of links on the first page, with the reference after the first of them. */
  get navigation(): readonly LinkGroup[] {
    if (this.#navigation === undefined) {
      const [start, ...others] = linkGroups(this.#text(home), linksOf(home, this.#files));
      const api = [...this.#described.tags.map(({ name }) => ({ title: name, to: tagAddress(name) }))];
      const objects = { title: 'Objects', to: objectsAddress };
      this.#navigation = [...(start ? [start] : []), { title: 'Operations', links: [...api, objects] }, ...others];
    }
    return this.#navigation;
  }

  /** What the search finds: each operation, each object, and each part of each page. */
  entries(): Entry[] {
    const d = this.#described;
    const entries: Omit<Entry, 'id' | 'weight'>[] = operationRows(d).map(({ o, method, path }) => ({
      to: operationAddress(o),
      title: o.summary,
      page: `${method} ${path}`,
      text: `${o.operationId} ${o.description ?? ''}`.slice(0, mostText),
    }));
    for (const [name, s] of Object.entries(d.components.schemas))
      entries.push({ to: objectAddress(name), title: name, page: 'Objects', text: s.description ?? '' });
    for (const file of this.#files) {
      if (!file.endsWith('.md')) continue;
      const page = this.#page(file);
      for (const { heading, text } of page.parts) {
        if (heading === undefined && text === '') continue;
        const to = addressOf(file) + (heading === undefined || heading.depth === 1 ? '' : `#${heading.id}`);
        // Of the records of decisions the headings are enough.
        const searched = file.startsWith('decisions/') ? '' : text.slice(0, mostText);
        entries.push({ to, title: heading?.text ?? page.title, page: page.title, text: searched });
      }
    }
    return entries.map((e, id) => ({ id, ...e, weight: weights.find(([of]) => of.test(e.to))?.[1] ?? 1 }));
  }
}

// Writes a list as a CSV file while it is read, page by page, through the operation itself: the file holds what the JSON
// shows to the same caller. Keeps one page in memory. A file that ends early breaks off its connection, so that it is
// not taken for a whole one.
import { Readable } from 'node:stream';
import { Refusal, refuse } from '../../core/refusal.ts';
import { readable, utf8Mark } from '../../core/reports/csv.ts';
import { english, type Language, languages, type Said, said } from '../../core/said.ts';
import { accountNames, anyAccountNames } from '../../modules/accounts/index.ts';
import type { Call, Needs, Operation, Reply } from '../../modules/kernel/operation.ts';
import { csvColumns, csvHead, csvRemark, csvRow, type RowSchema } from './csv-columns.ts';
import {
  accountsIn,
  columnsForPeople,
  type DisplayedColumn,
  headForPeople,
  type Known,
  readerOf,
  remarkForPeople,
  rowForPeople,
} from './csv-for-people.ts';
import { pageIn } from './language.ts';

/** Rows of one file at most; the last line says how to go on. */
export const mostRows = 100_000;
/** Files that one caller may have in the making, and all callers of this process. */
const mostOpen = { ofCaller: 2, inAll: 16 };
/** After this long a file that is still not read to its end is broken off. */
const longestMs = 600_000;
const pageRows = 200;

/** One page of a list, as operations return it. */
interface ListPage {
  readonly items: readonly unknown[];
  readonly nextCursor?: string | null;
  readonly nextAfter?: number | null;
  readonly archivedBefore?: string;
}

type Next = { readonly cursor: string } | { readonly after: number } | undefined;

export interface ListFile {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string>>;
}

export interface FileSource {
  readonly operation: Operation;
  readonly call: Call;
  /** The language of the people whom it is for; undefined for programs. */
  readonly language?: Language | undefined;
  /** Reads one page, for a caller who still may. @throws Refusal */
  read(call: Call): Promise<Reply>;
}

const asks = /^\s*text\/csv\s*(?:[;,]|$)/i;

type Filed = Pick<Operation, 'id' | 'method' | 'produces' | 'content' | 'fileOf'>;

/** The schema of a file's rows; undefined if the operation is neither a list that is read with GET nor has rows in its items. */
export function rowsOf({ id, method, produces, content, fileOf }: Filed): RowSchema | undefined {
  // A detail that holds items is more than these.
  if (!(id.startsWith('list') || fileOf) || method !== 'GET' || produces !== undefined) return undefined;
  const { items } = (content as RowSchema & { properties?: { items?: { items?: RowSchema } } }).properties ?? {};
  const item = items?.items?.properties;
  if (!item) return undefined;
  return { properties: fileOf ? { ...textsOf(item), ...item[fileOf]?.items?.properties } : item };
}

/** What says of which item a row is; its figures are not of the row. */
const textsOf = (fields: Readonly<Record<string, RowSchema>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, schema]) => schema.type === 'string'));

const withRows = ({ fileOf }: Operation, page: ListPage): ListPage =>
  fileOf === undefined
    ? page
    : {
        ...page,
        items: (page.items as Readonly<Record<string, unknown>>[]).flatMap((item) =>
          (item[fileOf] as object[]).map((row) => ({ ...item, ...row })),
        ),
      };

/** Whether a request wants a list as a file. @param accept its header */
export const wantsFile = (operation: Operation, accept: string | undefined): boolean =>
  asks.test(accept ?? '') && rowsOf(operation) !== undefined;

const named = /^\s*text\/csv\s*;\s*language=["']?([a-z]{2})\b/i;

/** The language of a file for people: `text/csv; language=fr`. @returns undefined for programs */
export function fileLanguage(accept: string | undefined): Language | undefined {
  const name = named.exec(accept ?? '')?.[1]?.toLowerCase();
  return languages.find((l) => l === name);
}

export class ListFiles {
  readonly #s: Needs<'clock' | 'log' | 'db' | 'reference'>;
  /** Files in the making, each with its caller. */
  readonly #open = new Map<{ body?: Readable }, string>();
  readonly #writers = new Map<string, Writer>();
  #stopped = false;

  constructor(services: Needs<'clock' | 'log' | 'db' | 'reference'>) {
    this.#s = services;
  }

  /** Reads the first page, so that what cannot be listed is refused as in JSON. @throws Refusal */
  async begin(source: FileSource): Promise<ListFile> {
    const { operation, call } = source;
    if ((call.query as { limit?: number }).limit !== undefined)
      throw refuse('QUERY_INVALID', "the query parameter 'limit' is for pages of JSON; a CSV file has all rows");
    const { actor } = call.principal;
    const own = [...this.#open.values()].filter((a) => a === actor).length;
    if (this.#stopped || own >= mostOpen.ofCaller || this.#open.size >= mostOpen.inAll)
      throw refuse('OVERLOADED', 'other CSV files are still being made; try again when they are done', 5);
    const place: { body?: Readable } = {};
    this.#open.set(place, actor);
    try {
      const first = await this.#page(source, undefined);
      place.body = this.#bodyOf(source, first, () => this.#open.delete(place));
      return { body: place.body, headers: headersFor(operation, this.#moment(), source.language) };
    } catch (e) {
      this.#open.delete(place);
      throw e;
    }
  }

  /** Breaks off all files, and begins no more, for a service that stops. */
  stop(): void {
    this.#stopped = true;
    for (const { body } of this.#open.keys()) body?.destroy(new Error('the service stops'));
  }

  #bodyOf(source: FileSource, first: ListPage, done: () => void): Readable {
    const body = Readable.from(this.#lines(source, first), { objectMode: false });
    const late = setTimeout(() => body.destroy(new Error('the file was not read in time')), longestMs);
    late.unref();
    body.once('close', () => {
      clearTimeout(late);
      done();
    });
    body.once('error', (e) =>
      this.#s.log.warn({ operation: source.operation.id, error: e.message }, 'a CSV file was broken off'),
    );
    return body;
  }

  async *#lines(source: FileSource, first: ListPage): AsyncGenerator<string> {
    const writer = this.#writerOf(source);
    const begun = this.#moment();
    yield writer.head;
    let rows = 0;
    for (let page = first; ; ) {
      yield await writer.rows(page.items, source.call);
      rows += page.items.length;
      const next = nextOf(page);
      if (next === undefined || rows >= mostRows) {
        yield writer.end({ rows, begun, ended: this.#moment(), next, before: page.archivedBefore });
        return;
      }
      page = await this.#page(source, next);
    }
  }

  async #page({ operation, call, read }: FileSource, next: Next): Promise<ListPage> {
    const limit = operation.query && 'limit' in operation.query.properties ? { limit: pageRows } : {};
    const reply = await read({ ...call, query: { ...(call.query as object), ...limit, ...next } });
    return withRows(operation, reply.content as ListPage);
  }

  #writerOf({ operation, language }: FileSource): Writer {
    const key = `${operation.id} ${language ?? ''}`;
    let writer = this.#writers.get(key);
    if (!writer)
      this.#writers.set(key, (writer = language ? this.#forPeople(operation, language) : forPrograms(operation)));
    return writer;
  }

  #forPeople(operation: Operation, language: Language): Writer {
    const columns = columnsForPeople(rowsOf(operation) ?? {});
    const reader = readerOf(language);
    return {
      head: `${utf8Mark}${headForPeople(columns, reader)}`,
      rows: async (items, call) => {
        const said = (pageIn(language, operation.id, { items }) as ListPage).items;
        const known = { names: await this.#namesIn(columns, items, call), decimals: this.#decimals };
        return said.map((item) => rowForPeople(columns, item, reader, known)).join('');
      },
      end: (ending) =>
        remarkForPeople(columns, lastLine(readableEnd(ending), reader.form.point).by(reader.catalogue), reader),
    };
  }

  async #namesIn(columns: readonly DisplayedColumn[], items: readonly unknown[], call: Call): Promise<Known['names']> {
    const ids = [...new Set(items.flatMap((item) => accountsIn(columns, item)))];
    if (ids.length === 0) return new Map();
    const { kind, psp } = call.principal;
    return kind === 'operator' ? anyAccountNames(this.#s.db, ids) : accountNames(this.#s.db, psp, ids);
  }

  #decimals = (currency: string, day: string): number | undefined => {
    const asset = this.#s.reference.asset(currency, day || this.#moment().slice(0, 10), true);
    return asset instanceof Refusal ? undefined : asset.decimals;
  };

  #moment = (): string => new Date(this.#s.clock()).toISOString();
}

const headersFor = ({ id }: Operation, moment: string, language: Language | undefined) => {
  const name = id
    .replace(/^(?:list|get)/, '')
    .replace(/(?!^)([A-Z])/g, '-$1')
    .toLowerCase();
  return {
    'content-disposition': `attachment; filename="${name}-${moment.slice(0, 10)}.csv"`,
    vary: 'accept',
    ...(language && { 'content-language': language }),
  };
};

function nextOf({ nextCursor, nextAfter }: ListPage): Next {
  if (typeof nextCursor === 'string') return { cursor: nextCursor };
  return typeof nextAfter === 'number' ? { after: nextAfter } : undefined;
}

interface Ending {
  readonly rows: number;
  readonly begun: string;
  readonly ended: string;
  readonly next: Next;
  /** The day before which records are in the archive. */
  readonly before: string | undefined;
}

/** Writes the parts of a file. The last line has in its first cell what a reader has to know to rely on the file. */
interface Writer {
  readonly head: string;
  rows(items: readonly unknown[], call: Call): string | Promise<string>;
  end(ending: Ending): string;
}

const readableEnd = (ending: Ending): Ending => ({
  ...ending,
  begun: `${readable(ending.begun, 'time')} UTC`,
  ended: `${readable(ending.ended, 'time')} UTC`,
});

function forPrograms(operation: Operation): Writer {
  const columns = csvColumns(rowsOf(operation) ?? {});
  return {
    head: csvHead(columns),
    rows: (items) => items.map((item) => csvRow(columns, item)).join(''),
    end: (ending) => csvRemark(columns, lastLine(ending, '.').by(english)),
  };
}

function lastLine({ rows, begun, ended, next, before }: Ending, point: '.' | ','): Said {
  const count = rows.toLocaleString('en');
  const counted = point === ',' ? count.replaceAll(',', '\u202f') : count;
  if (next !== undefined) {
    const [name, value] = Object.entries(next)[0] as [string, string | number];
    return said`Not all rows: ${counted} rows, read from ${begun} to ${ended}; ask again with ${`${name}=${value}`} for those that follow`;
  }
  const all =
    rows === 1
      ? said`End of the list: ${counted} row, read from ${begun} to ${ended}`
      : said`End of the list: ${counted} rows, read from ${begun} to ${ended}`;
  return before === undefined
    ? all
    : said`${all}; what was recorded before ${before} (UTC) is in the archive and not listed`;
}

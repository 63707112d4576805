// Writes a list as a CSV file while it is read, page by page, through the operation itself: the file holds what the JSON
// shows to the same caller. Keeps one page in memory. A file that ends early breaks off its connection, so that it is
// not taken for a whole one.
import { Readable } from 'node:stream';
import { refuse } from '../../core/refusal.ts';
import type { Call, Needs, Operation, Reply } from '../../modules/kernel/operation.ts';
import { type CsvColumn, csvColumns, csvHead, csvLine, csvRow, type RowSchema, textCell } from './csv-columns.ts';

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
  /** Reads one page, for a caller who still may. @throws Refusal */
  read(call: Call): Promise<Reply>;
}

const asks = /^\s*text\/csv\s*(?:[;,]|$)/i;

/** The schema of a list's rows; undefined if the operation is no list that is read with GET. */
export function rowsOf({ id, method, produces, content }: Pick<Operation, 'id' | 'method' | 'produces' | 'content'>) {
  // A detail that holds items is more than these.
  if (!id.startsWith('list') || method !== 'GET' || produces !== undefined) return undefined;
  const { items } = (content as RowSchema & { properties?: { items?: { items?: RowSchema } } }).properties ?? {};
  return items?.items?.properties ? items.items : undefined;
}

/** Whether a request wants a list as a file. @param accept its header */
export const wantsFile = (operation: Operation, accept: string | undefined): boolean =>
  asks.test(accept ?? '') && rowsOf(operation) !== undefined;

export class ListFiles {
  readonly #s: Needs<'clock' | 'log'>;
  /** Files in the making, each with its caller. */
  readonly #open = new Map<{ body?: Readable }, string>();
  readonly #columns = new Map<string, readonly CsvColumn[]>();
  #stopped = false;

  constructor(services: Needs<'clock' | 'log'>) {
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
      return { body: place.body, headers: headersFor(operation, this.#moment()) };
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
    const columns = this.#columnsOf(source.operation);
    const begun = this.#moment();
    yield csvHead(columns);
    let rows = 0;
    for (let page = first; ; ) {
      yield page.items.map((item) => csvRow(columns, item)).join('');
      rows += page.items.length;
      const next = nextOf(page);
      if (next === undefined || rows >= mostRows) {
        const line = lastLine({ rows, begun, ended: this.#moment(), next, before: page.archivedBefore });
        yield csvLine([textCell(line), ...columns.slice(1).map(() => '')]);
        return;
      }
      page = await this.#page(source, next);
    }
  }

  async #page({ operation, call, read }: FileSource, next: Next): Promise<ListPage> {
    const limit = operation.query && 'limit' in operation.query.properties ? { limit: pageRows } : {};
    const reply = await read({ ...call, query: { ...(call.query as object), ...limit, ...next } });
    return reply.content as ListPage;
  }

  #columnsOf(operation: Operation): readonly CsvColumn[] {
    let columns = this.#columns.get(operation.id);
    if (!columns) this.#columns.set(operation.id, (columns = csvColumns(rowsOf(operation) ?? {})));
    return columns;
  }

  #moment = (): string => new Date(this.#s.clock()).toISOString();
}

const headersFor = ({ id }: Operation, moment: string) => {
  const name = id
    .replace(/^list/, '')
    .replace(/(?!^)([A-Z])/g, '-$1')
    .toLowerCase();
  return { 'content-disposition': `attachment; filename="${name}-${moment.slice(0, 10)}.csv"`, vary: 'accept' };
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

/** What a reader has to know of a file to rely on it. It is in the first cell of the last line. */
function lastLine({ rows, begun, ended, next, before }: Ending): string {
  const counted = `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
  const when = `read from ${begun} to ${ended}`;
  const archived =
    before === undefined ? '' : `; what was recorded before ${before} (UTC) is in the archive and not listed`;
  if (next === undefined) return `End of the list: ${counted}, ${when}${archived}`;
  const [name, value] = Object.entries(next)[0] as [string, string | number];
  return `Not all rows: ${counted}, ${when}; ask again with ${name}=${value} for those that follow`;
}

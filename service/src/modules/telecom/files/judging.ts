// The service's side of the thread that judges call detail files: orders and their answers. The thread lives while
// there is work and for some seconds after, so that its memory is given back, and files that come one after the other
// do not each wait for the start of one.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Header } from '../../../core/cdr/csv.ts';
import type { Place } from '../../../core/cdr/file-findings.ts';
import type { NamedAccount } from '../../../core/cdr/networks.ts';
import type { Vault } from '../../../platform/sealed-secrets.ts';
import type { Opened } from './inspect.ts';
import type { FileOfLines, Held, Outcome, PersonSeen, RowsOrder, Wanted } from './ready.ts';

export interface ThreadData {
  readonly keys: ReadonlyMap<number, Uint8Array>;
  readonly rowType: number;
}

export interface FileOrder {
  readonly path: string;
  readonly file: FileOfLines;
  readonly header: Header;
  readonly from: Place;
  readonly trailerLine: number | undefined;
  readonly lines: number;
  readonly bytes: number;
  /** When the file was picked up, milliseconds since the epoch. */
  readonly now: number;
  /** How the account is registered: lines of other networks are warned about. */
  readonly registered: NamedAccount | undefined;
}

/** A portion that was judged. */
export interface PortionSeen {
  readonly number: number;
  readonly from: Place;
  /** Where the next one begins; undefined after the last. */
  readonly next: Place | undefined;
  /** Data lines. */
  readonly lines: number;
  /** Persons whose keys its rows need. */
  readonly persons: readonly PersonSeen[];
}

/** What the thread may be told to do, and what it answers. */
export interface Orders {
  /** A sealed copy of a file for the archive, by the file's id. */
  seal: [{ from: string; to: string; fileId: string }, undefined];
  /** About so many bytes at each call, by the first call's number; nothing as long as the file's end is not reached. */
  inspect: [{ path: string; bytes: number }, Opened | undefined];
  begin: [FileOrder, undefined];
  /** Nothing after the last portion. A portion can be asked about until the second one after it is read. */
  read: [undefined, PortionSeen | undefined];
  /** Under new ids at each call. The outcome is that of all rows being new. */
  rows: [RowsOrder & { number: number; nowMs: number; wanted: Wanted }, { rows: Uint8Array; outcome: Outcome }];
  settle: [
    { number: number; leftOut: readonly string[]; held: readonly (readonly [string, Held])[]; wanted: Wanted },
    Outcome,
  ];
}

export interface Order {
  readonly id: number;
  readonly name: keyof Orders;
  readonly order: unknown;
}

export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A start takes about a second of processor time. */
const restMs = 10_000;

const entry = fileURLToPath(new URL('./judging-thread.ts', import.meta.url));

export class Judging {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (v: unknown) => void; reject: (e: unknown) => void }>();
  #orders = 0;
  #ended: Error | undefined;
  readonly #restMs: number;
  #resting: NodeJS.Timeout | undefined;

  /** @param rest milliseconds without work after which the thread ends */
  constructor(vault: Vault, rowType: number, rest = restMs) {
    this.#restMs = rest;
    const data: ThreadData = { keys: vault.keys(), rowType };
    this.#worker = new Worker(entry, {
      workerData: data,
      // Portions are bounded, and so is what they need; small young generations are collected while they are in cache.
      resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker.on('message', ({ id, result, error }: Answer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(error);
    });
    this.#worker.on('error', (e) => this.#end(e as Error));
    this.#worker.on('exit', () => this.#end(new Error('the thread that judges call detail files has ended')));
  }

  /** Whether it can be given no more orders. */
  get ended(): boolean {
    return this.#ended !== undefined;
  }

  order<O extends keyof Orders>(name: O, order: Orders[O][0]): Promise<Orders[O][1]> {
    if (this.#ended) return Promise.reject(this.#ended);
    clearTimeout(this.#resting);
    this.#worker.ref();
    const id = ++this.#orders;
    return new Promise<Orders[O][1]>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (v: unknown) => void, reject });
      this.#worker.postMessage({ id, name, order } satisfies Order);
    });
  }

  /** There is nothing to do: the thread ends if no order comes for a while, and keeps no process alive meanwhile. */
  rest(): void {
    clearTimeout(this.#resting);
    this.#worker.unref();
    this.#resting = setTimeout(() => (this.#waiting.size > 0 ? this.rest() : void this.stop()), this.#restMs).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#resting);
    // From now on, not from when it is gone: an order to it would never be answered.
    this.#end(new Error('the thread that judges call detail files was ended'));
    await this.#worker.terminate();
  }

  #end(e: Error): void {
    this.#ended ??= e;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

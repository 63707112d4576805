// The main thread's client of the thread that validates call detail files: sends orders and receives the answers. The
// thread ends some seconds after the last work: its memory is freed, and files in quick succession share one thread.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Header } from '../../../core/cdr/csv.ts';
import type { Place } from '../../../core/cdr/file-findings.ts';
import type { NamedAccount } from '../../../core/cdr/networks.ts';
import type { Vault } from '../../../platform/sealed-secrets.ts';
import type { Opened } from './inspect.ts';
import type { ExistingRecord, Outcome, PersonsSeen, RecordedLines, Wanted } from './outcome.ts';
import type { FileOfLines, RowsOrder } from './ready.ts';

export interface ThreadData {
  readonly keys: ReadonlyMap<number, Uint8Array>;
  readonly rowType: number;
}

interface FileOrder {
  readonly path: string;
  readonly file: FileOfLines;
  readonly header: Header;
  readonly headerAt: number;
  readonly from: Place;
  readonly trailerLine: number | undefined;
  readonly lines: number;
  readonly bytes: number;
  /** When the file was picked up, milliseconds since the epoch. */
  readonly now: number;
  /** How the account is registered: lines of other networks are warned about. */
  readonly registered: NamedAccount | undefined;
}

/** A validated portion. */
export interface PortionSeen {
  readonly number: number;
  readonly from: Place;
  /** Start of the next portion; undefined after the last. */
  readonly next: Place | undefined;
  /** Data lines. */
  readonly lines: number;
  /** Persons whose keys its rows need. */
  readonly persons: PersonsSeen;
}

/** The orders of the thread, each with its parameter and its answer. */
export interface Orders {
  /** A sealed copy of a file for the archive, by the file's id. */
  seal: [{ from: string; to: string; fileId: string }, undefined];
  /** Reads about `bytes` bytes per call (the first call's number); undefined until the end of the file is reached. */
  inspect: [{ path: string; bytes: number }, Opened | undefined];
  begin: [FileOrder, undefined];
  /** Undefined after the last portion. A portion can be requested until the second one after it is read. */
  read: [undefined, PortionSeen | undefined];
  /** Makes new ids at each call. The outcome assumes that all rows are new. */
  rows: [RowsOrder & { number: number; nowMs: number; wanted: Wanted }, { rows: Uint8Array; outcome: Outcome }];
  outcome: [
    {
      number: number;
      leftOut: readonly string[];
      existing: readonly (readonly [string, ExistingRecord])[];
      /** Whether lines take the place of existing records. */
      corrects: boolean;
      wanted: Wanted;
    },
    Outcome,
  ];
  recorded: [{ number: number; leftOut: readonly string[] }, RecordedLines];
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

const entry = fileURLToPath(new URL('./validation-thread.ts', import.meta.url));

export class Validation {
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
    this.#worker.on('exit', () => this.#end(new Error('the thread that validates call detail files has ended')));
  }

  /** Whether the thread accepts no more orders. */
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

  /** Ends the thread if no order comes for a while; until then it does not keep the process alive. */
  rest(): void {
    clearTimeout(this.#resting);
    this.#worker.unref();
    this.#resting = setTimeout(() => (this.#waiting.size > 0 ? this.rest() : void this.stop()), this.#restMs).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#resting);
    // From now on, not from when it is gone: an order to it would never be answered.
    this.#end(new Error('the thread that validates call detail files was ended'));
    await this.#worker.terminate();
  }

  #end(e: Error): void {
    this.#ended ??= e;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

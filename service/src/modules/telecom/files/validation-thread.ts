// A worker thread that reads, validates and prepares the lines of call detail files, so that they do not delay requests
// on the main thread. It has no database connection and no clock: its orders contain all it needs.
import { parentPort, workerData } from 'node:worker_threads';
import { loadNumberRanges, loadReference } from '../../../platform/data-files.ts';
import { Kept } from '../../../platform/kept.ts';
import { IdMaker } from '../../../platform/random.ts';
import { sealFile } from '../../../platform/sealed-files.ts';
import { Vault } from '../../../platform/sealed-secrets.ts';
import { SubjectKeys } from '../../kernel/subjects.ts';
import { rulesOfAccount } from '../account-rules.ts';
import { type Opened, openFile, readFrom } from './inspect.ts';
import { archivePlace, ReadyPortion, type Tools } from './ready.ts';
import { type Portion, recordOfLine, validateLines } from './validate-lines.ts';
import type { Answer, Order, Orders, ThreadData } from './validation.ts';

/** Some 40,000 keyed hashes with their texts. */
const mostBytes = 8 * 2 ** 20;
const bytesOfHash = 200;

/** Caches keyed hashes, because cells, devices and callers repeat often. */
class RememberingVault extends Vault {
  readonly #known = new Kept<string>(mostBytes, () => bytesOfHash);

  override blind(text: string): string {
    let hash = this.#known.get(text);
    if (hash === undefined) {
      hash = super.blind(text);
      this.#known.set(text, hash);
    }
    return hash;
  }
}

const { keys, rowType } = workerData as ThreadData;
const vault = new RememberingVault(new Map([...keys].map(([version, key]) => [version, Buffer.from(key)])));
let nowMs = 0;
const clock = () => nowMs;
const tools: Tools = { vault, subjects: new SubjectKeys(vault, clock), ids: new IdMaker(clock), rowType };
const reference = loadReference();
const ranges = loadNumberRanges();

/** First readings in progress, by the path of the file. */
const opening = new Map<string, AsyncGenerator<undefined, Opened>>();
let portions: AsyncGenerator<Portion<ReadyPortion>> | undefined;
let number = 0;
/** The portion being prepared and the one before it, which may still be requested. */
const ready = new Map<number, ReadyPortion>();

const forget = (n: number): void => {
  ready.get(n)?.end();
  ready.delete(n);
};

/**
 * Where rows stay until their portion is recorded, in memory that both threads share: the portion being written and the one
 * prepared meanwhile have one each. Measured: a piece of memory of its own for each portion's rows made V8 collect the whole
 * heaps of both threads some hundred times a million lines, a third of all processor time.
 */
const rooms = [new SharedArrayBuffer(0), new SharedArrayBuffer(0)];

function inRoom(n: number, bytes: Uint8Array): Uint8Array {
  const room = n % rooms.length;
  if ((rooms[room] as SharedArrayBuffer).byteLength < bytes.length)
    rooms[room] = new SharedArrayBuffer(Math.ceil((bytes.length * 1.25) / 2 ** 16) * 2 ** 16);
  const rows = new Uint8Array(rooms[room] as SharedArrayBuffer, 0, bytes.length);
  rows.set(bytes);
  return rows;
}

const portionOf = (n: number): ReadyPortion => {
  const found = ready.get(n);
  if (!found) throw new Error(`portion ${n} is not at hand`);
  return found;
};

const orders: { [O in keyof Orders]: (order: Orders[O][0]) => Promise<Orders[O][1]> | Orders[O][1] } = {
  async inspect({ path, bytes }) {
    const begun = opening.get(path) ?? openFile(path, bytes);
    // Deleted first, so that after a failure the next call starts again.
    opening.delete(path);
    const { done, value } = await begun.next();
    if (!done) opening.set(path, begun);
    return value;
  },
  async seal({ from, to, fileId }) {
    await sealFile(vault, from, to, archivePlace(fileId));
    return undefined;
  },
  async begin(order) {
    // Closes the previous file if it was not read to its end.
    await portions?.return(undefined);
    for (const n of [...ready.keys()]) forget(n);
    const options = { ...order, reference, ...rulesOfAccount(order.registered, ranges) };
    const again = (text: string) => recordOfLine(text, options);
    const source = readFrom(order.path, order.from.byteOffset);
    portions = validateLines(source, options, () => new ReadyPortion(tools, order.file, again));
  },
  async read() {
    const read = await portions?.next();
    if (!read || read.done) return undefined;
    const { from, next, lines } = read.value;
    ready.set(++number, lines);
    forget(number - 2);
    return { number, from, next, lines: lines.length, persons: lines.persons };
  },
  rows({ number: n, nowMs: now, wanted, ...order }) {
    nowMs = now;
    const portion = portionOf(n);
    const rows = portion.rows(order, (bytes) => inRoom(n, bytes));
    return { rows, outcome: portion.outcome(new Set(), new Map(), false, wanted) };
  },
  outcome: ({ number: n, leftOut, existing, corrects, wanted }) =>
    portionOf(n).outcome(new Set(leftOut), new Map(existing), corrects, wanted),
  recorded: ({ number: n, leftOut }) => portionOf(n).recorded(new Set(leftOut)),
};

parentPort?.on('message', async ({ id, name, order }: Order) => {
  let answer: Answer;
  try {
    answer = { id, result: await orders[name](order as never) };
  } catch (error) {
    answer = { id, error };
  }
  parentPort?.postMessage(answer);
});

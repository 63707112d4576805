// A worker thread that reads, validates and prepares the lines of call detail files, so that they do not delay requests
// on the main thread. It has no database connection and no clock: its orders contain all it needs.
import { parentPort, workerData } from 'node:worker_threads';
import { loadNumberRanges, loadReference } from '../../../platform/data-files.ts';
import { IdMaker } from '../../../platform/random.ts';
import { sealFile } from '../../../platform/sealed-files.ts';
import { Vault } from '../../../platform/sealed-secrets.ts';
import { SubjectKeys } from '../../kernel/subjects.ts';
import { rulesOfAccount } from '../account-rules.ts';
import { type Opened, openFile, readFrom } from './inspect.ts';
import { archivePlace, ReadyPortion, type Tools } from './ready.ts';
import { type Portion, validateLines } from './validate-lines.ts';
import type { Answer, FileOrder, Order, Orders, ThreadData } from './validation.ts';

/** Caches keyed hashes, because cells, devices and callers repeat often. */
class RememberingVault extends Vault {
  readonly #known = new Map<string, string>();

  override blind(text: string): string {
    let hash = this.#known.get(text);
    if (hash === undefined) {
      hash = super.blind(text);
      if (this.#known.size >= 20_000) this.#known.clear();
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
let file: FileOrder | undefined;
let portions: AsyncGenerator<Portion> | undefined;
let number = 0;
/** The portion being prepared and the one before it, which may still be requested. */
const ready = new Map<number, ReadyPortion>();

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
    file = order;
    ready.clear();
    portions = validateLines(readFrom(order.path, order.from.byteOffset), {
      ...order,
      reference,
      ...rulesOfAccount(order.registered, ranges),
    });
  },
  async read() {
    const next = await portions?.next();
    if (!file || !next || next.done) return undefined;
    const { from, next: after, records, rejectedLines } = next.value;
    const made = new ReadyPortion(tools, file.file, next.value);
    ready.set(++number, made);
    ready.delete(number - 2);
    return { number, from, next: after, lines: records.length + rejectedLines.length, persons: made.persons };
  },
  rows({ number: n, nowMs: now, wanted, ...order }) {
    nowMs = now;
    const portion = portionOf(n);
    const rows = portion.rows(order);
    return { rows, outcome: portion.outcome(new Set(), new Map(), wanted) };
  },
  outcome: ({ number: n, leftOut, existing, wanted }) =>
    portionOf(n).outcome(new Set(leftOut), new Map(existing), wanted),
};

parentPort?.on('message', async ({ id, name, order }: Order) => {
  let answer: Answer;
  try {
    answer = { id, result: await orders[name](order as never) };
  } catch (error) {
    answer = { id, error };
  }
  parentPort?.postMessage(answer, handedOver(answer.result));
});

/** Transfers the buffer of the rows instead of copying it, if the rows fill the whole buffer. */
function handedOver(result: unknown): ArrayBuffer[] {
  const rows = (result as { rows?: Uint8Array<ArrayBuffer> } | undefined)?.rows;
  return rows && rows.byteLength > 0 && rows.byteLength === rows.buffer.byteLength ? [rows.buffer] : [];
}

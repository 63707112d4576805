// Answers for the service while it is out of reach: by a signed snapshot, within limits the caller sets, recorded on disk
// before they are given, and submitted when the service is back, which confirms or corrects them. Off unless it is made.
import type { Assay } from '../assay.ts';
import { compareDecimals } from '../decimals.ts';
import { AssayError } from '../errors.ts';
import { maySucceedLater } from '../retry.ts';
import type { Decimal, Input, Output } from '../types.ts';
import { LineFile, type StandinFile } from './file.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';

export interface StandinOptions {
  /** Opened with 'a+' by the only process that uses it. */
  readonly file: StandinFile;
  /** Public key of the PSP's log, as getAuditKey gives it; fetched once and stored apart. */
  readonly key: string;
  /** Most that is approved without the service, by currency; a currency that is not named is never approved. */
  readonly mostAmount: Readonly<Record<string, Decimal>>;
  /** Age from which a snapshot is not decided by, in milliseconds; default one hour, never more than its own time. */
  readonly longestMs?: number | undefined;
  /** Most answers that wait for the service; default 10,000. */
  readonly mostWaiting?: number | undefined;
  /** Milliseconds since the epoch; default: the machine's clock. */
  readonly now?: (() => number) | undefined;
}

type Sale = Input<'verifyTransaction'>;

/** An answer given without the service. It has no split: that comes with the service's own. */
export interface StandinAnswer {
  readonly standIn: true;
  readonly ref: string;
  readonly status: 'APPROVED' | 'DECLINED';
  readonly reason: string | null;
  /** ISO UTC. */
  readonly decidedAt: string;
  readonly snapshotMadeAt: string;
}

export type SaleAnswer<A> = ({ readonly standIn: false } & Output<'verifyTransaction', A>) | StandinAnswer;

/** What the service said of a stand-in answer. */
export interface Settled<A = number> {
  readonly answer: StandinAnswer;
  /** CONFIRMED: the same verdict. CORRECTED: the other one. REFUSED: it could not be recorded; see `error`. */
  readonly outcome: 'CONFIRMED' | 'CORRECTED' | 'REFUSED';
  readonly content?: Output<'verifyTransaction', A> | undefined;
  readonly error?: AssayError | undefined;
}

interface Given {
  readonly accountId: string;
  readonly input: Sale;
  readonly answer: StandinAnswer;
}

interface Waiting extends Given {
  /** Resolves once the answer is on the disk; it is returned to nobody before. */
  readonly stored: Promise<void>;
}

type Line =
  | { readonly snapshot: string }
  | ({ readonly given: true } & Given)
  | { readonly settled: string; readonly outcome: string };

const hourMs = 3_600_000;
const skewMs = 5 * 60_000;
const keyOf = (accountId: string, ref: string) => `${accountId} ${ref}`;

export class Standin<A = number> {
  readonly #assay: Assay<A>;
  readonly #o: StandinOptions;
  readonly #file: LineFile;
  /** Answers the service does not know of yet, in the order they were given. */
  readonly #waiting = new Map<string, Waiting>();
  #snapshot: Snapshot | undefined;
  #note = '';
  #submitting: Promise<Settled<A>[]> | undefined;

  private constructor(assay: Assay<A>, options: StandinOptions) {
    this.#assay = assay;
    this.#o = options;
    this.#file = new LineFile(options.file);
  }

  /** Reads what an earlier process left in the file: its snapshot, and the answers it gave that still wait. */
  static async open<A = number>(assay: Assay<A>, options: StandinOptions): Promise<Standin<A>> {
    const standin = new Standin(assay, options);
    for (const line of (await standin.#file.read()) as Line[])
      if ('snapshot' in line) standin.#note = line.snapshot;
      else if ('settled' in line) standin.#waiting.delete(line.settled);
      else standin.#waiting.set(keyOf(line.accountId, line.answer.ref), { ...line, stored: Promise.resolve() });
    if (standin.#note !== '') standin.#snapshot = await openSnapshot(standin.#note, options.key);
    return standin;
  }

  /** Number of answers the service does not know of yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Fetches a new snapshot and keeps it on disk. Call it every few minutes. @throws what the call throws */
  async refresh(): Promise<void> {
    const { snapshot } = (await this.#assay.getStandinSnapshot()) as { snapshot: string };
    const read = await openSnapshot(snapshot, this.#o.key);
    if (this.#snapshot !== undefined && read.madeAt < this.#snapshot.madeAt) return;
    await this.#file.append({ snapshot } satisfies Line);
    [this.#snapshot, this.#note] = [read, snapshot];
  }

  /**
   * Verifies a sale; if the service is out of reach, answers in its place.
   * @param accountId the client that sells, `cli_…`
   * @throws what the call throws, if the service is there or no stand-in answer may be given
   */
  async verifyTransaction(
    accountId: string,
    input: Sale,
    options: { readonly timeoutMs?: number } = {},
  ): Promise<SaleAnswer<A>> {
    const key = keyOf(accountId, input.ref);
    const given = this.#waiting.get(key);
    // The same sale gets the answer that was given, until the service has confirmed or corrected it.
    if (given) return await again(given, input);
    try {
      const content = await this.#assay.verifyTransaction(input, { clientId: accountId, retries: 0, ...options });
      return { standIn: false, ...(content as object) } as SaleAnswer<A>;
    } catch (error) {
      if (!maySucceedLater(error) || isBusy(error)) throw error;
      return await this.#answer(accountId, input, error);
    }
  }

  async #answer(accountId: string, input: Sale, unreachable: unknown): Promise<StandinAnswer> {
    const key = keyOf(accountId, input.ref);
    const now = this.#now();
    const standing = this.#standing(accountId, input, now);
    if (standing === undefined || this.#waiting.size >= (this.#o.mostWaiting ?? 10_000)) throw unreachable;
    // Another call with the ref may have been answered while this one waited for the service.
    const given = this.#waiting.get(key);
    if (given) return await again(given, input);
    const answer: StandinAnswer = {
      standIn: true,
      ref: input.ref,
      ...standing,
      decidedAt: new Date(now).toISOString(),
      snapshotMadeAt: (this.#snapshot as Snapshot).madeAt,
    };
    const stored = this.#file.append({ given: true, accountId, input, answer } satisfies Line);
    this.#waiting.set(key, { accountId, input, answer, stored });
    try {
      await stored;
    } catch (error) {
      this.#waiting.delete(key);
      throw error;
    }
    return answer;
  }

  /** The verdict by the snapshot; undefined if it may not be given without the service. */
  #standing(
    accountId: string,
    input: Sale,
    now: number,
  ): { status: 'APPROVED' | 'DECLINED'; reason: string | null } | undefined {
    const s = this.#snapshot;
    if (s === undefined || now >= Date.parse(s.madeAt) + (this.#o.longestMs ?? hourMs)) return undefined;
    // A clock that is behind would make the snapshot last longer.
    if (now < Date.parse(s.madeAt) - skewMs) return undefined;
    if (now >= Date.parse(s.validUntil)) return undefined;
    const standing = s.accounts.get(accountId);
    if (standing?.status === 'DECLINED') return standing;
    const most = Object.hasOwn(this.#o.mostAmount, input.currency) ? this.#o.mostAmount[input.currency] : undefined;
    if (standing === undefined || most === undefined) return undefined;
    return compareDecimals(input.totalAmount as Decimal, most) > 0 ? undefined : standing;
  }

  /**
   * Submits the answers that wait, in the order they were given; equal refs make sure that none is recorded twice. Ends
   * early, without an error, if the service is still out of reach. What is refused for another reason than the sale
   * itself, such as a key that has ended or a fault of the service, is kept.
   * A file that takes nothing more, on a full disk, ends it early too: what was settled before is returned.
   * @throws that reason, or the fault of the file, if it kept every answer from being submitted
   */
  submitWaiting(): Promise<Settled<A>[]> {
    this.#submitting ??= this.#submit().finally(() => {
      this.#submitting = undefined;
    });
    return this.#submitting;
  }

  async #submit(): Promise<Settled<A>[]> {
    const settled: Settled<A>[] = [];
    let kept: AssayError | undefined;
    for (const [key, { accountId, input, answer, stored }] of [...this.#waiting]) {
      if (
        !(await stored.then(
          () => true,
          () => false,
        ))
      )
        continue;
      let outcome: Settled<A>;
      try {
        const content = await this.#assay.verifyTransaction(input, { clientId: accountId, retries: 0 });
        const { status } = content as { status: string };
        outcome = { answer, outcome: status === answer.status ? 'CONFIRMED' : 'CORRECTED', content };
      } catch (error) {
        if (!(error instanceof AssayError) || maySucceedLater(error)) break;
        if (!isFinal(error)) {
          kept ??= error;
          if (error.status >= 500) continue;
          break;
        }
        outcome = { answer, outcome: 'REFUSED', error };
      }
      try {
        await this.#file.append({ settled: key, outcome: outcome.outcome } satisfies Line);
      } catch (error) {
        // The answer waits on: submitted again, it is found recorded, and its outcome is the same.
        if (settled.length === 0) throw error;
        break;
      }
      this.#waiting.delete(key);
      settled.push(outcome);
    }
    // The outcomes are on the disk already and the caller is to have them: that the file grows on is no reason to keep them.
    if (settled.length > 0) await this.#startOver().catch(() => undefined);
    else if (kept) throw kept;
    return settled;
  }

  /** If nothing waits, what the file says of settled answers is not needed. */
  #startOver(): Promise<void> {
    return this.#file.startOver(
      () => this.#waiting.size === 0,
      () => (this.#note === '' ? [] : [{ snapshot: this.#note } satisfies Line]),
    );
  }

  #now(): number {
    return (this.#o.now ?? Date.now)();
  }
}

const same = (a: Sale, b: Sale): boolean => JSON.stringify(a) === JSON.stringify(b);

async function again(given: Waiting, input: Sale): Promise<StandinAnswer> {
  if (!same(given.input, input)) refuseOther(input.ref);
  await given.stored;
  return given.answer;
}

const finalKinds: ReadonlySet<string> = new Set(['invalid', 'conflict', 'gone', 'too-large']);

/** Whether a refusal is of the sale itself and stays: not of the key or the address, and no fault of the service. */
const isFinal = (error: AssayError): boolean =>
  finalKinds.has(error.kind) || error.code === 'NOT_RECORDER' || error.code === 'ACCOUNT_CLOSED';

/** The service answers and asks for patience: it is there, and nobody may answer in its place. */
const isBusy = (error: unknown): boolean => error instanceof AssayError && error.status === 429;

function refuseOther(ref: string): never {
  throw new AssayError({
    code: 'REF_CONFLICT',
    status: 409,
    message: `the ref '${ref}' has a stand-in answer to another sale`,
  });
}

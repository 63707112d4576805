// The metrics of several processes as one text. What is counted never falls: Prometheus would take that for a new beginning
// and count all of it again. So what a process counted stays when it has ended, and while it does not answer: up to
// the last time its figures were read, as what it counted since then is known to nobody.
import { AggregatorRegistry, type Registry } from 'prom-client';

/** The metrics of one process. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Longer than a process takes to read its gauges, and shorter than one waits for the figures of all. */
const usualPatienceMs = 4_500;

const counted = (figures: Figures): Figures => figures.filter((m) => String(m.type) !== 'gauge');

export class FiguresOfAll<W> {
  readonly #ask: (process: W, id: number) => void;
  readonly #patienceMs: number;
  readonly #last = new Map<W, Figures>();
  readonly #waiting = new Map<number, () => void>();
  #asked = 0;
  /** What those that ended have counted. */
  #past: Promise<Figures> = Promise.resolve([]);

  /** @param ask asks a process for its figures, which `answered` takes under this id */
  constructor(ask: (process: W, id: number) => void, patienceMs = usualPatienceMs) {
    this.#ask = ask;
    this.#patienceMs = patienceMs;
  }

  answered(process: W, id: number, figures: Figures): void {
    this.#last.set(process, figures);
    this.#waiting.get(id)?.();
  }

  ended(process: W): void {
    const last = this.#last.get(process);
    this.#last.delete(process);
    if (last === undefined) return;
    this.#past = this.#past.then((past) => AggregatorRegistry.aggregate([past, counted(last)]).getMetricsAsJSON());
  }

  /** The figures of these processes in Prometheus' text format; of one that does not answer in time what it has counted. */
  async text(processes: Iterable<W>): Promise<string> {
    const all = await Promise.all([...new Set(processes)].map((p) => this.#figuresOf(p)));
    return AggregatorRegistry.aggregate([...all, await this.#past]).metrics();
  }

  async #figuresOf(process: W): Promise<Figures> {
    const id = ++this.#asked;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const late = setTimeout(() => resolve(false), this.#patienceMs);
    this.#waiting.set(id, () => resolve(true));
    this.#ask(process, id);
    const inTime = await promise;
    clearTimeout(late);
    this.#waiting.delete(id);
    const last = this.#last.get(process) ?? [];
    return inTime ? last : counted(last);
  }
}

// Generates open-loop load in a separate process: requests are sent at their time, whether or not earlier ones have
// been answered. Each caller has a key and connections of its own, up to a limit; a request without a free connection
// is not sent but counted. Prints one JSON line.
import { connect, type Socket } from 'node:net';
import { quantile } from './quantile.ts';

export interface Caller {
  readonly name: string;
  readonly apiKey: string;
  readonly connections: number;
  /** Requests per second in each phase. */
  readonly rates: readonly number[];
}

export interface OpenJob {
  readonly port: number;
  readonly prefix: string;
  /** Length of each phase, seconds. */
  readonly phases: readonly number[];
  readonly callers: readonly Caller[];
}

/** Counts of one caller in one phase; a request belongs to the phase in which it was due. */
export interface Tally {
  due: number;
  /** Requests not sent for lack of a free connection. */
  unsent: number;
  /** Number of replies by status; 0 for a failed connection. */
  readonly statuses: Record<string, number>;
}

/** Requests that were due in one quarter of a second, counted from the start. */
export interface Slice {
  due: number;
  ok: number;
  /** Milliseconds, of requests answered 200. */
  p99: number;
}

export interface OpenResult {
  /** By phase, then by caller. */
  readonly tallies: readonly Readonly<Record<string, Tally>>[];
  /** Milliseconds of requests answered 200, by phase. */
  readonly latencies: readonly { readonly p50: number; readonly p99: number; readonly max: number }[];
  readonly slices: readonly Slice[];
  readonly opened: number;
  /** Processor time of the load generator by phase, in cores. */
  readonly cores: readonly number[];
  /** Longest delay of the load generator itself, milliseconds. */
  readonly lagMs: number;
}

const sliceMs = 250;

async function run(job: OpenJob): Promise<OpenResult> {
  const tallies = job.phases.map(() =>
    Object.fromEntries(job.callers.map((c) => [c.name, { due: 0, unsent: 0, statuses: {} } as Tally])),
  );
  const latencies: number[][] = job.phases.map(() => []);
  const slices: (Slice & { all: number[] })[] = [];
  let counter = 0;
  let opened = 0;
  let lagMs = 0;
  let open = 0;
  const started = performance.now();

  const callers = job.callers.map((c) => {
    const head = `POST /v1/transaction/verifyTransaction HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${c.apiKey}\r\ncontent-type: application/json\r\nContent-Length: `;
    const free: Connection[] = [];
    let made = 0;
    let next = started;
    return {
      /** Sends the requests of a phase that are due. */
      pump(now: number, phase: number, from: number) {
        const rate = c.rates[phase] as number;
        next = Math.max(next, from);
        while (rate > 0 && next <= now) {
          const tally = tallies[phase]?.[c.name] as Tally;
          const at = Math.floor((next - started) / sliceMs);
          while (slices.length <= at) slices.push({ due: 0, ok: 0, p99: 0, all: [] });
          const slice = slices[at] as (typeof slices)[number];
          next += 1000 / rate;
          tally.due++;
          slice.due++;
          let one = free.pop();
          if (!one && made < c.connections) {
            made++;
            opened++;
            one = new Connection(
              job.port,
              (c) => free.push(c),
              () => made--,
            );
          }
          if (!one) {
            tally.unsent++;
            continue;
          }
          open++;
          const n = ++counter;
          const amount = 100 + (n % 9000);
          const body = `{"ref":"${job.prefix}-${n}","totalAmount":${amount}.50,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":${amount}.50},"transactionFee":1.50,"mcc":"5732"}`;
          const sent = performance.now();
          one.send(`${head}${body.length}\r\n\r\n${body}`, (status) => {
            open--;
            tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
            if (status !== 200) return;
            const took = performance.now() - sent;
            latencies[phase]?.push(took);
            slice.ok++;
            slice.all.push(took);
          });
        }
      },
    };
  });

  let from = started;
  const cores: number[] = [];
  for (const [phase, seconds] of job.phases.entries()) {
    const end = from + seconds * 1000;
    const before = process.cpuUsage();
    await new Promise<void>((done) => {
      let last = performance.now();
      const timer = setInterval(() => {
        const now = performance.now();
        lagMs = Math.max(lagMs, now - last);
        last = now;
        for (const c of callers) c.pump(Math.min(now, end), phase, from);
        if (now < end) return;
        clearInterval(timer);
        done();
      }, 1);
    });
    const { user, system } = process.cpuUsage(before);
    cores.push((user + system) / 1e6 / seconds);
    from = end;
  }
  // Waits for the last replies; after this time they count as lost.
  for (const end = performance.now() + 10_000; open > 0 && performance.now() < end; )
    await new Promise((r) => setTimeout(r, 10));

  return {
    tallies,
    latencies: latencies.map((l) => ({ p50: quantile(l, 0.5), p99: quantile(l, 0.99), max: quantile(l, 1) })),
    slices: slices.map(({ due, ok, all }) => ({ due, ok, p99: quantile(all, 0.99) })),
    opened,
    cores,
    lagMs,
  };
}

/** One keep-alive connection with one request in flight. */
class Connection {
  readonly #socket: Socket;
  #pending = '';
  #answered: ((status: number) => void) | undefined;

  constructor(port: number, free: (c: Connection) => void, lost: () => void) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (data) => {
      this.#pending += data.toString('latin1');
      const split = this.#pending.indexOf('\r\n\r\n');
      if (split < 0) return;
      const length = Number.parseInt(this.#pending.slice(this.#pending.search(/content-length: /i) + 16), 10);
      if (this.#pending.length < split + 4 + length) return;
      const status = Number(this.#pending.slice(9, 12));
      const closes = /\r\nconnection: close\r\n/i.test(this.#pending.slice(0, split + 2));
      this.#pending = '';
      this.#end(status);
      if (closes) this.#socket.destroy();
      else free(this);
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      lost();
      this.#end(0);
    });
  }

  send(text: string, answered: (status: number) => void): void {
    this.#answered = answered;
    this.#socket.write(text);
  }

  #end(status: number): void {
    const tell = this.#answered;
    this.#answered = undefined;
    tell?.(status);
  }
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] as string) as OpenJob)));
process.exit(0);

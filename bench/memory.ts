// Benchmark of memory in a long run: a steady mix of all operations, with persons and refs that never repeat, and the
// memory of the process by minute. Memory is flat if what remains after a full garbage collection, taken twelve times,
// does not grow.
// node bench/memory.ts --minutes 60 --rate 250
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Assay } from '../client/src/index.ts';
import { quantile } from './quantile.ts';
import { option, prepare, serve, stopPostgres } from './stage.ts';

const minutes = option('minutes', 60);
/** Samples between two garbage collections; one sample is taken every 6 s. */
const every = Math.max(1, Math.round((minutes * 10) / 12));
/** Rounds per second, of one or two calls each. */
const rate = option('rate', 250);

const place = await prepare('bench_memory');
process.env.WEBHOOK_ALLOW_HTTP = 'true';
let delivered = 0;
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    delivered++;
    response.end();
  });
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));

interface Sample {
  readonly minute: number;
  readonly rssMiB: number;
  readonly externalMiB: number;
  /** MiB after a garbage collection, if there was one. */
  readonly keptMiB: number | undefined;
}

let calls = 0;
const failures = new Map<string, number>();

await serve('real', place, async (port, pid, nextLine) => {
  const baseUrl = `http://127.0.0.1:${port}`;
  const psp = new Assay({ baseUrl, apiKey: place.apiKey });
  await psp.subscribeToClient({ webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks` });
  const samples: Sample[] = [];
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 60_000;
  let nextSample = 0;
  let due = performance.now();
  let inHand = 0;
  for (let n = 0; elapsed() < minutes; n++) {
    due += 1000 / rate;
    const wait = due - performance.now();
    if (wait > 1) await pause(wait);
    // After a slow moment of the machine, missed requests are not sent all at once.
    else if (wait < -1000) due = performance.now();
    if (inHand < 200) {
      inHand++;
      void round(psp, n)
        .catch((e: unknown) => {
          const why = (e as { code?: string }).code ?? String(e);
          failures.set(why, (failures.get(why) ?? 0) + 1);
        })
        .finally(() => inHand--);
    }
    if (elapsed() >= nextSample) {
      nextSample += 0.1;
      const held = samples.length % every === every - 1 ? await keptBy(pid, nextLine) : undefined;
      samples.push({ ...(await sample(baseUrl, pid)), minute: elapsed(), keptMiB: held });
      if (held !== undefined) console.log(line(`${elapsed().toFixed(0)} min`, samples.slice(-every)));
    }
  }
  while (inHand > 0) await pause(20);
  report(samples);
});
receiver.close();
receiver.closeAllConnections();
await stopPostgres();

async function round(psp: Assay, n: number): Promise<void> {
  const ref = `m-${n}-${randomUUID().slice(0, 8)}`;
  const person = { email: `${ref}@example.com` };
  const sale = {
    ref,
    totalAmount: 100 + (n % 9000),
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 100 + (n % 9000) },
    transactionFee: 1.5,
  };
  const pay = { ref, totalAmount: 500, currency: 'KES', customer: person, countryCode: 'KE', transactionFee: 5 };
  const turn = n % 40;
  calls++;
  if (turn < 20) await psp.verifyTransaction(sale);
  else if (turn < 26) await psp.deposit(pay);
  else if (turn < 28)
    await psp.withdrawal({ ...pay, toAddress: { bank: 'Equity Bank', accountNumber: String(1_000_000 + n) } });
  else if (turn < 30) {
    calls++;
    await psp.verifyTransaction(sale);
    await psp.chargeBack({ ref });
  } else if (turn < 31) {
    calls++;
    await psp.verifyTransaction(sale);
    await psp.declineTransaction({ ref });
  } else if (turn < 33) {
    calls++;
    const bet = { amount: 250, customer: person, ip: '102.0.2.44', type: 'sports' };
    await psp.captureWager({ ...bet, ref, coordinates: { lat: -1.28, lng: 36.81 } } as never);
    await psp.capturePayout({ amount: 900, ref: `${ref}-won`, customer: person, wagerReference: ref });
  } else if (turn < 35) await psp.recordCDR(call(ref, n) as never);
  else if (turn < 36)
    await psp.registerClient({
      registeredName: `Shop ${n}`,
      registrationNumber: ref,
      countryCode: 'NG',
      email: person.email,
      phoneNumber: '+2348030000001',
      classification: 'ECOMM_LOCAL',
      organizationTin: '12345678-0001',
    } as never);
  else if (turn < 39) await psp.listTransactions({ limit: 20 });
  else await psp.getOverview();
}

function call(id: string, n: number): Record<string, unknown> {
  const at = Date.now() - 600_000;
  const time = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  return {
    cdr_id: id,
    timestamp: time(at + 125_000),
    caller_number: `+23480${String(30_000_000 + (n % 9_000_000))}`,
    receiver_number: `+23480${String(50_000_000 + (n % 9_000_000))}`,
    call_start_time: time(at),
    call_end_time: time(at + 120_000),
    call_duration_seconds: 120,
    call_type: 'VOICE',
    call_status: 'COMPLETED',
    network_provider: 'MTN Nigeria',
    billing_information: { call_cost: 24.5, currency: 'NGN', billing_plan: 'PREPAID' },
    recording_available: false,
  };
}

/** MiB of heap that remain after a garbage collection. */
async function keptBy(pid: number, nextLine: () => Promise<string>): Promise<number> {
  const said = nextLine();
  process.kill(pid, 'SIGUSR2');
  return JSON.parse(await said).keptMiB;
}

async function sample(baseUrl: string, pid: number): Promise<Omit<Sample, 'minute' | 'keptMiB'>> {
  const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  const page = await (await fetch(`${baseUrl}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^assay_${name} (\\S+)$`, 'm').exec(page)?.[1]) / 2 ** 20;
  return {
    rssMiB: kib / 1024,
    externalMiB: metric('nodejs_external_memory_bytes'),
  };
}

function line(name: string, some: readonly Sample[]): string {
  const median = (pick: (s: Sample) => number) => quantile(some.map(pick), 0.5);
  return `${name.padEnd(22)} RSS ${median((s) => s.rssMiB).toFixed(0)} MiB (median)   heap ${kept(some).toFixed(1)} MiB (kept)   external ${median((s) => s.externalMiB).toFixed(0)} MiB   ${calls} calls, ${delivered} webhooks`;
}

/** The most MiB that remained after a garbage collection. */
function kept(some: readonly Sample[]): number {
  return Math.max(...some.map((s) => s.keptMiB ?? 0));
}

function report(samples: readonly Sample[]): void {
  // The first tenth is excluded: code is compiled and tables are filled.
  const rest = samples.filter((s) => s.minute > minutes / 10);
  const part = (i: number) => rest.slice(Math.floor((rest.length * i) / 3), Math.floor((rest.length * (i + 1)) / 3));
  for (const i of [0, 1, 2]) console.log(line(`third ${i + 1}`, part(i)));
  const heaps = [0, 2].map((i) => kept(part(i))) as [number, number];
  const peaks = [0, 2].map((i) => Math.max(...part(i).map((s) => s.rssMiB))) as [number, number];
  console.log(`kept heap, last third / first   ${(heaps[1] / heaps[0]).toFixed(2)}   (flat: 1.1 or less)`);
  console.log(`most RSS, last third / first    ${(peaks[1] / peaks[0]).toFixed(2)}   (flat: 1.1 or less)`);
  console.log(`refused or failed: ${JSON.stringify(Object.fromEntries(failures))}`);
}

// Generates load in a separate process: keep-alive sockets with one request in flight on each, and unique refs. Closed
// loop (as fast as replies come) or open loop at a given rate. Prints one JSON line.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { quantile } from './quantile.ts';

interface Job {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Seconds of load before measuring, since a new process first compiles its code. */
  readonly warmSeconds: number;
  /** Requests per second over all connections; 0 = as fast as possible. */
  readonly rate: number;
  /** File of the keys, one a line, used in turn. */
  readonly keys: string;
  readonly prefix: string;
  /** Refs without order, as a client makes them from random identifiers. */
  readonly randomRefs?: boolean;
  /** Where the sales are, and in which currency; Nigeria if absent. */
  readonly place?: { readonly country: string; readonly currency: string };
}

const job = JSON.parse(process.argv[2] as string) as Job;
const keys = readFileSync(job.keys, 'latin1').split('\n');
const head = (key: string) =>
  `POST /v1/transaction/verifyTransaction HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\nContent-Length: `;
const place = job.place ?? { country: 'NG', currency: 'NGN' };
let counter = 0;

function nextRequest(): string {
  const n = ++counter;
  const amount = 100 + (n % 9000);
  const ref = job.randomRefs ? randomUUID() : `${job.prefix}-${n}`;
  const body = `{"ref":"${ref}","totalAmount":${amount}.50,"currency":"${place.currency}","countryCode":"${place.country}","paymentMethods":{"card":${amount}.50},"transactionFee":1.50,"mcc":"5732"}`;
  return `${head(keys[n % keys.length] as string)}${body.length}\r\n\r\n${body}`;
}

const latencies: number[] = [];
let ok = 0;
let failed = 0;
const started = performance.now();
const warm = started + job.warmSeconds * 1000;
const end = warm + job.seconds * 1000;

function run(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(job.port, '127.0.0.1');
    socket.setNoDelay(true);
    let sent = 0;
    let due = performance.now() + Math.random() * (job.rate > 0 ? (1000 * job.connections) / job.rate : 0);
    const gap = job.rate > 0 ? (1000 * job.connections) / job.rate : 0;
    let pending = '';
    const send = () => {
      if (performance.now() >= end) {
        socket.end();
        resolve();
        return;
      }
      sent = gap > 0 ? due : performance.now();
      socket.write(nextRequest());
    };
    const next = () => {
      if (gap === 0) return send();
      due += gap;
      const wait = due - performance.now();
      if (wait <= 0) send();
      else setTimeout(send, wait);
    };
    socket.on('connect', () => (gap === 0 ? send() : setTimeout(send, Math.max(0, due - performance.now()))));
    socket.on('data', (data) => {
      pending = pending === '' ? data.toString('latin1') : pending + data.toString('latin1');
      const split = pending.indexOf('\r\n\r\n');
      if (split < 0) return;
      const at = pending.indexOf('ontent-length: ');
      const length = Number.parseInt(pending.slice(at + 15, at + 25), 10);
      if (pending.length < split + 4 + length) return;
      const now = performance.now();
      const good = pending.startsWith('HTTP/1.1 200');
      pending = '';
      if (now >= warm && now < end) {
        if (good) ok++;
        else failed++;
        latencies.push(now - sent);
      }
      next();
    });
    socket.on('error', reject);
  });
}

await Promise.all(Array.from({ length: job.connections }, run));
const at = (q: number) => quantile(latencies, q);
console.log(JSON.stringify({ perSecond: ok / job.seconds, failed, p50: at(0.5), p99: at(0.99), sent: counter }));

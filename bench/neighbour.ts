// What one key's large bodies do to another key: the p50 of a quiet key alone and beside eight connections that send bodies
// of 200 KB which are refused, or baskets of 5,000 items, in one run; and the memory that 300 connections without a key,
// each holding back the end of 1 MiB, take. Never part of the tests.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { makeClients } from './accounts.ts';
import { quantile } from './quantile.ts';
import { tell } from './row.ts';
import { option, prepare, serve, stopPostgres } from './stage.ts';

const seconds = option('seconds', 5);
const connections = option('connections', 8);
// As the service is shipped.
process.env.RATE_PER_SECOND ??= '2000';
process.env.RATE_BURST ??= '4000';

const place = await prepare('bench_neighbour');
const [loud, quiet] = (await makeClients(place, 2)) as [string, string];
const agent = new Agent({ keepAlive: true });
let sales = 0;
const sale = () =>
  `{"ref":"n-${++sales}","totalAmount":20,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":20},"transactionFee":1}`;
/** 17,000 members that nobody knows. */
const refused = () => `{${Array.from({ length: 17_000 }, (_, i) => `"m${i}":${i}`).join(',')}}`;
const item = '{"sku":"S","title":"Book","description":"A book","quantity":1,"price":1,"subTotal":1}';
const basket = () =>
  `{"ref":"b-${++sales}","totalAmount":5000,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":5000},"items":[${Array(5000).fill(item).join()}]}`;

await serve('real', place, async (port, pid) => {
  const send = (key: string, path: string, body: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        'x-api-key': key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const q = request({ port, path, method: 'POST', agent, headers }, (r) => {
        r.resume();
        r.once('end', () => resolve(r.statusCode ?? 0));
      });
      q.once('error', reject);
      q.end(body);
    });
  const verify = '/v1/transaction/verifyTransaction';
  async function quietly(ms: number): Promise<number[]> {
    const took: number[] = [];
    for (const until = performance.now() + ms; performance.now() < until; await pause(10)) {
      const at = performance.now();
      const status = await send(quiet, verify, sale());
      if (status !== 200) throw new Error(`the quiet key got ${status}`);
      took.push(performance.now() - at);
    }
    return took;
  }
  async function beside(path: string, body: () => string): Promise<{ took: number[]; statuses: string }> {
    let going = true;
    const statuses: Record<number, number> = {};
    const all = Array.from({ length: connections }, async () => {
      while (going) {
        const status = await send(loud, path, body());
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 429) await pause(100);
      }
    });
    const took = await quietly(seconds * 1000);
    going = false;
    await Promise.all(all);
    return { took, statuses: JSON.stringify(statuses) };
  }
  await quietly(3000);
  // The first time also grows the heap to what any work of this size takes.
  for (const time of ['first', 'second']) {
    const before = rss(pid);
    const sockets = Array.from({ length: 300 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(
        `POST /v1/basket/submitBasket HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${1 << 20}\r\n\r\n`,
      );
      socket.write(Buffer.alloc((1 << 20) - 1, 32));
      return socket;
    });
    let most = 0;
    for (let i = 0; i < 50; i++) {
      await pause(100);
      most = Math.max(most, rss(pid));
    }
    const what = `300 connections without a key hold back the end of 1 MiB, the ${time} time`;
    tell({ what, value: most - before, digits: 0, unit: 'MB', ...(time === 'second' && { atMost: 20 }) });
    for (const socket of sockets) socket.destroy();
  }
  for (const [what, path, body] of [
    ['refused bodies of 200 KB', verify, refused],
    ['baskets of 5,000 items', '/v1/basket/submitBasket', basket],
  ] as const) {
    const fixed = body();
    const alone = await quietly(seconds * 1000);
    const b = await beside(path, body === refused ? () => fixed : body);
    const [p50, with50] = [quantile(alone, 0.5), quantile(b.took, 0.5)];
    tell({
      what: `p50 of a key beside another's ${what} to it alone`,
      value: with50 / p50,
      atMost: 2,
      note: `p50 ${p50.toFixed(1)} and ${with50.toFixed(1)} ms, p99 ${quantile(alone, 0.99).toFixed(1)} and ${quantile(b.took, 0.99).toFixed(1)} ms; answers ${b.statuses}`,
    });
  }
  agent.destroy();
});
await stopPostgres();

/** Resident memory in MB, from /proc. */
function rss(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

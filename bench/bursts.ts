// Benchmark of bursts: requests sent at once to an idle service, 300 that are equal and 300 that are not. All are to be
// answered 200, and equal ones to make one record. Prints figures; never part of the tests.
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from '../service/src/platform/database.ts';
import { quantile } from './quantile.ts';
import { caughtUp } from './readers.ts';
import { tell } from './row.ts';
import { log, option, prepare, serve, stopPostgres } from './stage.ts';

const size = option('size', 300);
const rounds = option('rounds', 9);
// As the service is shipped.
process.env.RATE_PER_SECOND ??= '2000';
process.env.RATE_BURST ??= '4000';

const place = await prepare('bench_bursts');
const pool = new Pool(place.url, { max: 1, log });
const took = { equal: [] as number[], distinct: [] as number[] };
let refused = 0;
await serve('real', place, async (port) => {
  const agent = new Agent({ keepAlive: true, maxSockets: size });
  const send = (ref: string) =>
    new Promise<number>((resolve, reject) => {
      const body = `{"ref":"${ref}","totalAmount":107.50,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":107.50},"transactionFee":1.50}`;
      const headers = { 'x-api-key': place.apiKey, 'content-type': 'application/json', 'content-length': body.length };
      const path = '/v1/transaction/verifyTransaction';
      const q = request({ port, path, method: 'POST', agent, headers }, (r) => {
        r.resume();
        r.once('end', () => resolve(r.statusCode ?? 0));
      });
      q.once('error', reject);
      q.end(body);
    });
  // The first one warms the service up and opens the connections.
  for (let round = 0; round <= rounds; round++)
    for (const kind of ['equal', 'distinct'] as const) {
      await caughtUp(pool);
      await pause(500);
      const begun = performance.now();
      const statuses = await Promise.all(
        Array.from({ length: size }, (_, i) => send(kind === 'equal' ? `b-${round}` : `b-${round}-${i}`)),
      );
      if (round > 0) took[kind].push(performance.now() - begun);
      refused += statuses.filter((s) => s !== 200).length;
    }
  agent.destroy();
});
const [made] = await pool.query<{ n: string }>('SELECT count(*) AS n FROM transactions');
const middle = (of: readonly number[]) => quantile(of, 0.5);
const note = `${middle(took.equal).toFixed(0)} and ${middle(took.distinct).toFixed(0)} ms`;
tell({ what: `${size} at once: not answered 200`, value: refused, digits: 0, atMost: 0 });
const wanted = (rounds + 1) * (size + 1);
tell({ what: 'the same, records beyond one for each ref', value: Number(made?.n) - wanted, digits: 0, atMost: 0 });
tell({
  what: 'the same, equal ones to others: time until all are answered',
  value: middle(took.equal) / middle(took.distinct),
  note,
});
await pool.end();
await stopPostgres();

// Benchmark of taxes whose law counts what came before (tax-sums.ts): sales of one account in a country that counts, beside
// the same where none does. Of those on one sum only one is in each commit. Prints rows; never part of the tests.
import { median } from './quantile.ts';
import { tell } from './row.ts';
import { load, loadAsked, option, prepare, type Result, serve, show, stopPostgres } from './stage.ts';

const rounds = option('rounds', 3);
const how = loadAsked(4, 2);
const places = {
  Nigeria: { country: 'NG', currency: 'NGN' },
  Philippines: { country: 'PH', currency: 'PHP' },
} as const;

const place = await prepare('bench_tax_sums');
const results: Record<keyof typeof places, Result[]> = { Nigeria: [], Philippines: [] };
await serve('real', place, async (port, pid) => {
  for (let round = 0; round < rounds; round++)
    for (const name of ['Nigeria', 'Philippines'] as const) {
      const r = await load(port, pid, place.apiKey, { ...how, place: places[name] });
      show(name, r);
      results[name].push(r);
    }
});
await stopPostgres();

const of = (name: keyof typeof places, figure: (r: Result) => number | undefined) =>
  median(results[name].map((r) => figure(r) as number));
tell({ what: 'sales a second of one account, nothing counted', value: of('Nigeria', (r) => r.perSecond), digits: 0 });
tell({ what: 'the same where a tax counts them', value: of('Philippines', (r) => r.perSecond), digits: 0 });
tell({
  what: 'processor time of Node for one, nothing counted',
  value: of('Nigeria', (r) => r.nodeUs),
  digits: 0,
  unit: 'µs',
});
tell({ what: 'the same where a tax counts it', value: of('Philippines', (r) => r.nodeUs), digits: 0, unit: 'µs' });
tell({
  what: 'processor time of PostgreSQL, nothing counted',
  value: of('Nigeria', (r) => r.postgresUs),
  digits: 0,
  unit: 'µs',
});
tell({ what: 'the same where a tax counts it', value: of('Philippines', (r) => r.postgresUs), digits: 0, unit: 'µs' });

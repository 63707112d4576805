// Benchmark of screening again from end to end: the owners and names of 100,000 clients and the last 20,000 customers of a
// PSP, in the database, after a list of 20,000 entries with three names each was loaded (`--clients`, `--entries`,
// `--customers`). Prints figures, never part of the tests.
import { makeApp } from '../service/src/app.ts';
import { system } from '../service/src/modules/kernel/principal.ts';
import { sealPersonal } from '../service/src/modules/kernel/subjects.ts';
import { Rescreening } from '../service/src/modules/screening/index.ts';
import { loadList } from '../service/src/modules/screening/load.ts';
import { Pool } from '../service/src/platform/database.ts';
import { readSettings } from '../service/src/settings.ts';
import { name } from './made-up-names.ts';
import { cpuMs } from './processor-time.ts';
import { tell } from './row.ts';
import { load, log, option, postgresPids, prepare, serve, stopPostgres } from './stage.ts';

const [clients, entries, customers] = [
  option('clients', 100_000),
  option('entries', 20_000),
  option('customers', 20_000),
];

const place = await prepare('bench_rescreening');
// One deposit, to be copied for each customer.
await serve('real', place, async (port, pid) => {
  await load(port, pid, place.apiKey, { connections: 1, seconds: 0.2, warmSeconds: 0 });
});
const pool = new Pool(place.url, { max: 4, log });
const settings = readSettings({
  ...{ PORT: '0', CDR_SFTP: 'off', DATA_DIR: place.dataDir, DATABASE_URL: place.url, LOG_LEVEL: 'warn' },
});
const app = await makeApp({ settings, log });
const { services } = app;
const [psp] = await pool.query<{ id: string; sale: string }>(
  'SELECT psp_id AS id, id AS sale FROM transactions LIMIT 1',
);
if (!psp) throw new Error('the load recorded nothing');

const pieces = function* <T>(count: number, make: () => T): Generator<T[]> {
  for (let i = 0; i < count; i += 5000) yield Array.from({ length: Math.min(5000, count - i) }, make);
};
for (const names of pieces(clients, name))
  await pool.query(
    `INSERT INTO accounts SELECT (jsonb_populate_record(a, jsonb_build_object('id', uuidv7(), 'kind', 'client', 'name', n.name))).*
     FROM unnest($2::text[]) AS n(name), accounts a WHERE a.psp_id = $1 AND a.id = $1`,
    [psp.id, names],
  );
for (const names of pieces(customers, name)) {
  const paid = names.map((customer) => {
    const id = services.ids.next();
    const key = services.subjects.make({ psp: psp.id as never, subject: services.vault.blind(id) });
    const sealed = sealPersonal(key, { customer: { email: 'a@example.com', name: customer } }, `transactions/${id}`);
    return { id, subject: key.subject, sealed, key: key.fresh?.keySealed };
  });
  await pool.query(
    `WITH p AS (SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS p(id, subject, sealed, key)),
     k AS (INSERT INTO subject_keys (psp_id, subject, key_sealed, generation, created_at)
       SELECT $1, subject, key, 0, now() FROM p)
     INSERT INTO transactions
     SELECT (jsonb_populate_record(t, jsonb_build_object('id', p.id, 'ref', p.id, 'subject', p.subject, 'sealed', p.sealed))).*
     FROM p, transactions t WHERE t.psp_id = $1 AND t.id = $6`,
    [
      psp.id,
      paid.map((p) => p.id),
      paid.map((p) => p.subject),
      paid.map((p) => p.sealed),
      paid.map((p) => p.key),
      psp.sale,
    ],
  );
}
await pool.query('VACUUM ANALYZE');

const csv = ['Ref,Type,Name,Aliases,Born,Countries,Programmes,Keys'];
for (let i = 0; i < entries; i++) csv.push(`${i},PERSON,${name()},${name()};${name()},,,,`);
const given = { name: 'bench.csv', text: `${csv.join('\n')}\n`, list: 'BENCH', purpose: 'BLOCK' as const };
await loadList(services, system, { ...given, allowShrink: false }, Date.now());

const rescreening = new Rescreening(services, pool);
const run = async () => {
  const [begun, cpu, postgres] = [performance.now(), process.cpuUsage(), cpuMs(postgresPids())];
  await rescreening.work();
  const { user, system: kernel } = process.cpuUsage(cpu);
  const [node, database] = [(user + kernel) / 1e6, (cpuMs(postgresPids()) - postgres) / 1000];
  return {
    seconds: (performance.now() - begun) / 1000,
    cpu: `${node.toFixed(1)} s of processor time, and ${database.toFixed(1)} s of the database`,
  };
};
const first = await run();
const [found] = await pool.query<{ n: number }>('SELECT count(*) AS n FROM list_matches');
tell({
  what: `${clients} clients and ${customers} customers against ${entries} entries, end to end`,
  ...{ value: first.seconds, digits: 1, unit: 's', atMost: 60 },
  note: `${found?.n} matches recorded with their alerts; ${first.cpu}`,
});
await loadList(
  services,
  system,
  { ...given, text: `${csv.join('\n')}\nLAST,PERSON,${name()},,,,,\n`, allowShrink: false },
  Date.now(),
);
const second = await run();
tell({
  what: 'the same again after one entry was added',
  ...{ value: second.seconds, digits: 1, unit: 's', atMost: 60 },
  note: second.cpu,
});
await app.stop();
await pool.end();
await stopPostgres();

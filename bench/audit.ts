// Benchmark of the seal's Merkle tree: builds a tree of many entries with the sealer's own code, directly in its
// tables, then makes inclusion and consistency proofs as the service does, verifies them, and prints their times and
// sizes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inclusionPath, leafHash, verifyInclusion } from '../service/src/core/audit/merkle.ts';
import { checkpointText, signNote } from '../service/src/core/audit/note.ts';
import { Edge, joined } from '../service/src/core/audit/tiles.ts';
import { findLastCheckpoint, insertSealed } from '../service/src/modules/audit/audit-store.ts';
import { logKey, openAuditKeys } from '../service/src/modules/audit/index.ts';
import { checkpointIn } from '../service/src/modules/audit/sealer.ts';
import { proveConsistency, proveInclusion, type Sealed } from '../service/src/modules/audit/stored-tree.ts';
import { Pool } from '../service/src/platform/database.ts';
import { startEmbeddedPostgres } from '../service/src/platform/embedded-postgres.ts';
import { sha256 } from '../service/src/platform/hashing.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { ensureDatabase, migrate } from '../service/src/platform/migrate.ts';
import { IdMaker } from '../service/src/platform/random.ts';
import { openVault } from '../service/src/platform/sealed-secrets.ts';
import { verifyConsistency } from '../service/test/support/consistency.ts';
import { quantile } from './quantile.ts';

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const entries = option('entries', 1_000_000);
const proofs = option('proofs', 2_000);
/** Entries in one commit, as in the sealer. */
const portion = option('portion', 4_096);

const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
const log = makeLog('warn');
const server = await startEmbeddedPostgres(dir, log);
const urlOf = (name: string) => server.adminUrl.replace(/\/assay(\?|$)/, `/${name}$1`);
await ensureDatabase(urlOf('postgres'), 'audit', log);
const pool = new Pool(urlOf('audit'), { max: 2, log });
await migrate(pool, new Date());

const psp = new IdMaker(() => Date.now()).next();
const [key] = await openAuditKeys(pool, await openVault(pool, Buffer.alloc(32, 7)), () => Date.now(), undefined);
if (!key) throw new Error('the seal has no key');
const name = logKey(key, psp);
const bytes = new Uint8Array(8);
/** A different leaf for each number. */
function leafOf(index: number): Uint8Array {
  new DataView(bytes.buffer).setBigUint64(0, BigInt(index));
  return leafHash(sha256, bytes);
}

let began = performance.now();
const edge = new Edge(sha256);
while (edge.size < entries) {
  const to = Math.min(entries, edge.size + portion);
  while (edge.size < to) edge.append(leafOf(edge.size));
  const note = signNote(checkpointText({ origin: name.name, size: to, root: edge.root() }), name, key.sign);
  const sealed = { psp, size: to, note, sealedAt: new Date().toISOString() };
  await insertSealed(pool, [{ ...sealed, tail: joined(edge.tail), tiles: edge.takeFilled() }]);
}
const seconds = (performance.now() - began) / 1000;
console.log(
  `sealed ${entries} entries in ${seconds.toFixed(0)} s, ${Math.round(entries / seconds)}/s, ${portion} a checkpoint`,
);
await pool.query('VACUUM ANALYZE audit_tiles');
await pool.query('VACUUM ANALYZE audit_checkpoints');
const [size] = await pool.query(
  "SELECT pg_total_relation_size('audit_tiles') AS tiles, pg_total_relation_size('audit_checkpoints') AS checkpoints",
);
console.log(
  `tiles ${(Number(size?.tiles) / entries).toFixed(1)} bytes an entry, checkpoints ${(Number(size?.checkpoints) / entries).toFixed(2)}`,
);

async function measure(what: string, take: (sealed: Sealed, root: Uint8Array, n: number) => Promise<number>) {
  const times: number[] = [];
  let hashes = 0;
  for (let i = -50; i < proofs; i++) {
    began = performance.now();
    // As the operation does: the newest checkpoint first.
    const last = await findLastCheckpoint(pool, psp);
    if (!last) throw new Error('nothing is sealed');
    const { root } = checkpointIn(last);
    const found = await take(last, root, 1 + Math.floor(Math.random() * entries));
    if (i < 0) continue;
    times.push(performance.now() - began);
    hashes = Math.max(hashes, found);
  }
  const at = (q: number) => quantile(times, q).toFixed(2);
  console.log(
    `${what.padEnd(18)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   longest ${at(0.9999)} ms   at most ${hashes} hashes, ${hashes * 44} characters in base64`,
  );
}

await measure('inclusion proof', async (sealed, root, seq) => {
  const [proof] = await proveInclusion(pool, sealed, [seq]);
  if (!proof || proof.length !== inclusionPath(seq - 1, sealed.size).length) throw new Error(`no proof of ${seq}`);
  if (!verifyInclusion(sha256, leafOf(seq - 1), seq - 1, sealed.size, proof, root)) throw new Error(`${seq} fails`);
  return proof.length;
});
await measure('consistency proof', async (sealed, root, from) => {
  const { proof, first, second } = await proveConsistency(pool, sealed, from, sealed.size);
  if (!verifyConsistency(sha256, from, sealed.size, proof, first, root)) throw new Error(`${from} fails`);
  if (Buffer.compare(second, root) !== 0) throw new Error('another root');
  return proof.length;
});
console.log('to reach: an inclusion proof within 5 ms at 10,000,000 entries');
await pool.end();
await server.stop();

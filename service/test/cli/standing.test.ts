// assay standing, beside a running service: the next decision uses a change that was acknowledged.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, me, order, type World } from './world.ts';

let w: World;
let client: { clientId: string; apiKey: string };
let n = 0;
const decide = async () =>
  (await w.call('/v1/transaction/verifyTransaction', client.apiKey, order(`order-${++n}`))).body.content.status;

beforeAll(async () => {
  w = await makeWorld();
  const psp = await w.makePsp('Standing Pay');
  client = await w.makeClient(psp.apiKey);
});
afterAll(() => w.stop());

describe('assay standing', () => {
  it('suspends and restores a client: the very next decision follows', async () => {
    expect(await decide()).toBe('APPROVED');
    const suspended = await w.json(
      ...['standing', 'set', client.clientId, '--standing', 'suspended', '--reason', 'licence lapsed'],
    );
    expect(suspended.json()).toMatchObject({
      clientId: client.clientId,
      operationalStanding: 'SUSPENDED',
      acceptable: false,
      reason: 'the client is suspended',
    });
    expect(await decide()).toBe('DECLINED');
    const restored = await w.json(
      ...['standing', 'set', client.clientId, '--standing', 'ACTIVE', '--level', 'ENHANCED', '--reason', 'renewed'],
    );
    expect(restored.json()).toMatchObject({ operationalStanding: 'ACTIVE', verificationLevel: 'ENHANCED' });
    expect(await decide()).toBe('APPROVED');
    const entries = (await w.journal('client.updated')).filter((e) => e.clientId === client.clientId);
    expect(entries.map((e) => [e.actor.by, e.evidence.reason])).toEqual([
      [me, 'licence lapsed'],
      [me, 'renewed'],
    ]);
  });

  it('places a blocking hold and ends it', async () => {
    const placed = await w.json(
      ...['standing', 'hold', client.clientId, '--code', 'SANCTIONS_REVIEW', '--reason', 'name match'],
    );
    const [flag] = placed.json().flags;
    expect(flag).toMatchObject({ code: 'SANCTIONS_REVIEW', reason: 'name match', blocking: true, until: null });
    expect(await decide()).toBe('DECLINED');
    const shown = await w.plain('standing', 'show', client.clientId);
    expect(shown.stdout).toContain(
      'Acceptable      no: the client is on hold (UNDER_REVIEW): the account is under review',
    );
    expect(shown.stdout).toContain('name match');
    expect(shown.stdout).toContain(flag.id);
    const released = await w.json('standing', 'release', client.clientId, flag.id, '--reason', 'cleared');
    expect(released.json()).toMatchObject({ acceptable: true, flags: [] });
    expect(await decide()).toBe('APPROVED');
  });

  it('places dated holds and remarks that decline nothing', async () => {
    const placed = await w.json(
      ...['standing', 'hold', client.clientId, '--code', 'AUDIT', '--reason', 'yearly', '--not-blocking'],
      ...['--from', '2100-01-01', '--until', '2100-02-01T00:00:00Z'],
    );
    expect(placed.json().flags).toMatchObject([
      { blocking: false, since: '2100-01-01T00:00:00.000Z', until: '2100-02-01T00:00:00.000Z' },
    ]);
    expect(await decide()).toBe('APPROVED');
  });

  it.each([
    [2, ['set', '--reason', 'x'], '--standing or --level is required'],
    [3, ['set', '--standing', 'SLEEPING', '--reason', 'x'], '--standing must be one of ACTIVE, SUSPENDED, CLOSED'],
    [3, ['hold', '--code', 'lower', '--reason', 'x'], '--code must be 2 to 40 capital letters'],
    [
      3,
      ['hold', '--code', 'LATE', '--reason', 'x', '--from', '2100-01-02', '--until', '2100-01-01'],
      "--until must be later than 'from'",
    ],
  ])('ends with %i for %j and changes nothing', async (exitCode, [verb, ...rest], says) => {
    const before = await w.journal('client.updated');
    const r = await w.plain('standing', verb as string, client.clientId, ...rest);
    expect([r.exitCode, r.stdout]).toEqual([exitCode, '']);
    expect(r.stderr).toContain(`assay: ${says}`);
    expect(await w.journal('client.updated')).toEqual(before);
  });

  it('refuses to end a hold that the account does not have', async () => {
    const hold = 'hld_01h455vb4pex5vsknk084sn02q';
    const r = await w.json('standing', 'release', client.clientId, hold, '--reason', 'x');
    expect([r.exitCode, r.json().code]).toEqual([3, 'NOT_FOUND']);
  });
});

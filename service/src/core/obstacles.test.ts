import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { obstaclesOf, verdictUnder } from './obstacles.ts';
import {
  type Hold,
  type LevelPolicy,
  operationalStandings,
  type Standing,
  unacceptable,
  verificationLevels,
} from './standing.ts';

const now = '2026-11-26T12:00:00.000Z';
const policy: LevelPolicy = { default: 'BASIC', byClassification: { IGAMING_GLOBAL: 'ENHANCED' } };
const standing = (over: Partial<Standing> = {}): Standing => ({
  kind: 'client',
  classification: 'ECOMM_LOCAL',
  verificationLevel: 'BASIC',
  operationalStanding: 'ACTIVE',
  holds: [],
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...over,
});
const hold = (over: Partial<Hold> = {}): Hold => ({
  ...{ id: 'h', code: 'SANCTIONS_REVIEW', reason: 'name match: director', blocking: true, setBy: 'usr_1' },
  ...{ from: '2026-02-01T00:00:00.000Z', until: null },
  ...over,
});
const holds = fc.array(
  fc.record({
    blocking: fc.boolean(),
    from: fc.constantFrom('2026-02-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'),
    until: fc.constantFrom(null, '2026-03-01T00:00:00.000Z'),
    code: fc.constantFrom('SANCTIONS_REVIEW', 'LICENCE_EXPIRED'),
  }),
  { maxLength: 3 },
);
const someStanding = (kind: Standing['kind']) =>
  fc
    .record({
      verificationLevel: fc.constantFrom(...verificationLevels),
      operationalStanding: fc.constantFrom(...operationalStandings),
      classification: fc.constantFrom('ECOMM_LOCAL', 'IGAMING_GLOBAL', null),
      holds,
    })
    .map((s): Standing => standing({ ...s, kind, holds: s.holds.map((h) => hold(h)) }));

describe('obstacles', () => {
  it('are there if, and only if, the account may not trade, whatever its standing and that of its PSP', () => {
    fc.assert(
      fc.property(someStanding('client'), someStanding('psp'), (client, psp) => {
        const found = obstaclesOf(client, psp, policy, now);
        expect(found.length > 0).toBe(unacceptable(client, psp, policy, now) !== undefined);
      }),
    );
  });

  it('name all that is in the way, not the first alone, and no private code or reason', () => {
    const client = standing({ verificationLevel: 'UNVERIFIED', holds: [hold(), hold({ code: 'LICENCE_EXPIRED' })] });
    const psp = standing({
      kind: 'psp',
      operationalStanding: 'SUSPENDED',
      holds: [hold({ code: 'LICENCE_REQUIRED' })],
    });
    const found = obstaclesOf(client, psp, policy, now);
    expect(found).toEqual([
      { of: 'ACCOUNT', what: 'hold', is: 'UNDER_REVIEW', needed: null },
      { of: 'ACCOUNT', what: 'hold', is: 'LICENCE_EXPIRED', needed: null },
      { of: 'ACCOUNT', what: 'verificationLevel', is: 'UNVERIFIED', needed: 'BASIC' },
      { of: 'PSP', what: 'operationalStanding', is: 'SUSPENDED', needed: 'ACTIVE' },
      { of: 'PSP', what: 'hold', is: null, needed: null },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/SANCTIONS|director|LICENCE_REQUIRED/);
  });
});

describe('the verdict under a change', () => {
  it('is that of the changed standing itself, whatever the standing was', () => {
    fc.assert(
      fc.property(
        someStanding('client'),
        someStanding('psp'),
        fc.constantFrom(undefined, ...verificationLevels),
        fc.constantFrom(undefined, ...operationalStandings),
        fc.constantFrom(undefined, '2026-11-26T12:00:00.000Z', '2026-11-26T12:00:00.001Z'),
        fc.boolean(),
        (client, psp, verificationLevel, operationalStanding, holdFrom, endHolds) => {
          const changed: Standing = {
            ...client,
            verificationLevel: verificationLevel ?? client.verificationLevel,
            operationalStanding: operationalStanding ?? client.operationalStanding,
            holds: [...(endHolds ? [] : client.holds), ...(holdFrom === undefined ? [] : [hold({ from: holdFrom })])],
          };
          const idea = { of: 'ACCOUNT', verificationLevel, operationalStanding, holdFrom, endHolds } as const;
          const needed = client.classification === 'IGAMING_GLOBAL' ? 'ENHANCED' : 'BASIC';
          expect(verdictUnder(idea, obstaclesOf(client, psp, policy, now), needed, now)).toBe(
            unacceptable(changed, psp, policy, now) === undefined ? 'APPROVED' : 'DECLINED',
          );
        },
      ),
    );
  });

  it("of a client follows its PSP's standing, not its level", () => {
    const met = obstaclesOf(standing(), standing({ kind: 'psp', operationalStanding: 'SUSPENDED' }), policy, now);
    expect(verdictUnder({ of: 'PSP', operationalStanding: 'ACTIVE' }, met, 'BASIC', now)).toBe('APPROVED');
    expect(verdictUnder({ of: 'ACCOUNT', operationalStanding: 'ACTIVE' }, met, 'BASIC', now)).toBe('DECLINED');
    expect(verdictUnder({ of: 'PSP', verificationLevel: 'UNVERIFIED' }, [], 'BASIC', now)).toBe('APPROVED');
  });
});

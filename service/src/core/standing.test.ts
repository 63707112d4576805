// Standing decides every verdict: each reason to lose it, alone and combined, with its dates.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  currentlyDue,
  type Hold,
  inForce,
  type LevelPolicy,
  operationalStandings,
  requiredLevel,
  type Standing,
  unacceptable,
  verificationLevels,
} from './standing.ts';

const policy: LevelPolicy = {
  default: 'BASIC',
  byClassification: { IGAMING_GLOBAL: 'ENHANCED', ECOMM_LOCAL: 'UNVERIFIED' },
};
const now = '2026-11-21T10:00:00.000Z';
const at = (minutes: number) => new Date(Date.parse(now) + minutes * 60_000).toISOString();
const standing = (over: Partial<Standing> = {}): Standing => ({
  kind: 'client',
  classification: 'CRYPTO_LOCAL',
  verificationLevel: 'BASIC',
  operationalStanding: 'ACTIVE',
  holds: [],
  updatedAt: '2026-11-21T09:00:00.000Z',
  ...over,
});
const psp = (over: Partial<Standing> = {}) => standing({ kind: 'psp', classification: null, ...over });
const hold = (over: Partial<Hold> = {}): Hold => ({
  id: 'h',
  code: 'SANCTIONS_REVIEW',
  reason: 'name match',
  blocking: true,
  from: '2026-11-21T09:00:00.000Z',
  until: null,
  setBy: 'ada',
  ...over,
});

describe('a client', () => {
  it('may trade when it is active, verified enough and under no hold', () => {
    expect(unacceptable(standing(), psp(), policy, now)).toBeUndefined();
  });

  it.each([
    ['it is suspended', { operationalStanding: 'SUSPENDED' }, 'the client is suspended'],
    ['it is closed', { operationalStanding: 'CLOSED' }, 'the client is closed'],
    [
      'its level is below the default',
      { verificationLevel: 'UNVERIFIED' },
      "the client's verification level is UNVERIFIED; BASIC is required",
    ],
    [
      'its level is below what its classification needs',
      { classification: 'IGAMING_GLOBAL' },
      "the client's verification level is BASIC; ENHANCED is required",
    ],
    [
      'a blocking hold is in force',
      { holds: [hold()] },
      'the client is on hold (UNDER_REVIEW): the account is under review',
    ],
  ] as [string, Partial<Standing>, string][])('may not trade when %s', (_, over, why) => {
    expect(unacceptable(standing(over), psp(), policy, now)).toBe(why);
  });

  it.each([
    ['SUSPENDED', "the client's PSP is suspended"],
    ['CLOSED', "the client's PSP is closed"],
  ] as const)('may not trade when its PSP is %s', (operationalStanding, why) => {
    expect(unacceptable(standing(), psp({ operationalStanding }), policy, now)).toBe(why);
  });

  it('may not trade while its PSP is on hold, and hears of its own fault first', () => {
    const held = psp({ holds: [hold({ code: 'LICENCE' })] });
    expect(unacceptable(standing(), held, policy, now)).toBe("the client's PSP is on hold");
    expect(unacceptable(standing({ operationalStanding: 'SUSPENDED' }), held, policy, now)).toBe(
      'the client is suspended',
    );
  });

  it('may trade at a level above what is required, and where its classification asks for less', () => {
    expect(unacceptable(standing({ verificationLevel: 'ENHANCED' }), psp(), policy, now)).toBeUndefined();
    expect(
      unacceptable(standing({ classification: 'ECOMM_LOCAL', verificationLevel: 'UNVERIFIED' }), psp(), policy, now),
    ).toBeUndefined();
  });
});

describe('a PSP', () => {
  it('has a standing of its own, like any other account', () => {
    const p = psp({ operationalStanding: 'SUSPENDED' });
    expect(unacceptable(p, p, policy, now)).toBe('the PSP is suspended');
    const low = psp({ verificationLevel: 'UNVERIFIED' });
    expect(unacceptable(low, low, policy, now)).toContain('BASIC is required');
    const good = psp();
    expect(unacceptable(good, good, policy, now)).toBeUndefined();
  });
});

describe('a hold', () => {
  it.each([
    ['from its first moment', { from: now }, true],
    ['not before', { from: '2026-11-21T10:00:00.001Z' }, false],
    ['up to its end', { until: '2026-11-21T10:00:00.001Z' }, true],
    ['not from its end on', { until: now }, false],
    ['for ever without an end', { until: null }, true],
  ])('is in force %s', (_, over, expected) => {
    expect(inForce(hold(over), now)).toBe(expected);
    expect(unacceptable(standing({ holds: [hold(over)] }), psp(), policy, now) !== undefined).toBe(expected);
  });

  it.each([
    ['placed while the request was on its way', { from: at(1) }, true],
    ['ended while the request was on its way', { until: at(1) }, false],
    ['that begins only later', { from: at(2) }, false],
  ])('%s counts as of the account’s last change', (_, over, expected) => {
    const s = standing({ holds: [hold(over)], updatedAt: at(1) });
    expect(unacceptable(s, psp(), policy, now) !== undefined).toBe(expected);
    expect(unacceptable(standing(), psp({ holds: s.holds, updatedAt: at(1) }), policy, now) !== undefined).toBe(
      expected,
    );
  });

  it('that does not block changes nothing', () => {
    expect(unacceptable(standing({ holds: [hold({ blocking: false })] }), psp(), policy, now)).toBeUndefined();
  });

  it('blocks though others beside it do not', () => {
    const holds = [hold({ blocking: false }), hold({ until: now }), hold({ code: 'LICENCE_REQUIRED' })];
    expect(unacceptable(standing({ holds }), psp(), policy, now)).toContain('LICENCE_REQUIRED');
  });
});

describe('policy', () => {
  it('asks for the level of the classification, else the default', () => {
    expect(requiredLevel(standing({ classification: 'IGAMING_GLOBAL' }), policy)).toBe('ENHANCED');
    expect(requiredLevel(standing(), policy)).toBe('BASIC');
    expect(requiredLevel(psp(), policy)).toBe('BASIC');
  });

  it('says what is due exactly when the level is too low', () => {
    expect(currentlyDue(standing({ verificationLevel: 'UNVERIFIED' }), policy)).toEqual(['verificationLevel:BASIC']);
    expect(currentlyDue(standing(), policy)).toEqual([]);
  });
});

describe('the verdict', () => {
  const any = fc.record({
    level: fc.constantFrom(...verificationLevels),
    operational: fc.constantFrom(...operationalStandings),
    classification: fc.constantFrom('IGAMING_GLOBAL', 'ECOMM_LOCAL', 'CRYPTO_LOCAL', null),
    holds: fc.array(
      fc.record({
        blocking: fc.boolean(),
        from: fc.integer({ min: -5, max: 5 }),
        length: fc.option(fc.integer({ min: 1, max: 8 })),
      }),
      { maxLength: 4 },
    ),
  });
  it('is acceptable exactly when all of the rule holds, for client and PSP alike (decision 13)', () => {
    fc.assert(
      fc.property(any, any, (c, p) => {
        const make = (x: typeof c, kind: 'client' | 'psp'): Standing => ({
          kind,
          classification: kind === 'psp' ? null : x.classification,
          verificationLevel: x.level,
          operationalStanding: x.operational,
          updatedAt: at(-60),
          holds: x.holds.map((h) =>
            hold({ blocking: h.blocking, from: at(h.from), until: h.length === null ? null : at(h.from + h.length) }),
          ),
        });
        const running = (x: typeof c) =>
          x.operational === 'ACTIVE' &&
          !x.holds.some((h) => h.blocking && h.from <= 0 && (h.length === null || h.from + h.length > 0));
        const needed = { IGAMING_GLOBAL: 2, ECOMM_LOCAL: 0, CRYPTO_LOCAL: 1 }[c.classification ?? 'CRYPTO_LOCAL'];
        const levelOk = verificationLevels.indexOf(c.level) >= needed;
        const verdict = unacceptable(make(c, 'client'), make(p, 'psp'), policy, now);
        expect(verdict === undefined).toBe(running(c) && levelOk && running(p));
      }),
      { numRuns: 1000 },
    );
  });
});

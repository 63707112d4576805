// Each reason that a decline is recorded with is found by exactly one cause.
import { describe, expect, it } from 'vitest';
import { type DeclineCause, declineCauseNames, declineCauses } from './decline-causes.ts';
import { declineReason, excludedFinding } from './players/restriction.ts';
import { clientsPsp, holdSentence, publicHoldCodes, publicReason } from './public-standing.ts';
import { declineReasons } from './transaction-states.ts';

/** SQL's LIKE as an expression. */
const like = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replaceAll('\\_', '_')
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')}$`,
    's',
  );
const causesOf = (reason: string): DeclineCause[] =>
  declineCauseNames.filter((c) => declineCauses[c].some((p) => like(p).test(reason)));

const who = ['the client', 'the PSP', clientsPsp];

describe('the causes of declines', () => {
  it.each([
    ...who.map((w) => [`${w} is suspended`, 'STANDING']),
    ...who.map((w) => [`${w} is closed`, 'STANDING']),
    ...who.flatMap((w) => publicHoldCodes.map((code) => [holdSentence(w, { code }), 'HOLD'])),
    ["the client's verification level is NONE; BASIC is required", 'LEVEL'],
    ["the PSP's verification level is BASIC; ENHANCED is required", 'LEVEL'],
    [declineReason(excludedFinding('deposit', true)), 'PLAYER_PROTECTION'],
    ['the risk policy of the PSP does not allow it (RISK_POLICY)', 'RISK_POLICY'],
    ...Object.values(declineReasons).map((r) => [r, 'WITHDRAWN']),
  ])('%s: %s', (reason, cause) => expect(causesOf(reason)).toEqual([cause]));

  it('are the same for a reason with a private part and for what is shown of it', () => {
    const kept = 'the client is on hold (SANCTIONS_HIT): is suspended by the ministry';
    expect(publicReason(kept)).not.toContain('SANCTIONS');
    expect(causesOf(kept)).toEqual(causesOf(publicReason(kept)));
  });
});

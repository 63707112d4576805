// GET /v1/player/policy: how exclusions and limits of players apply, and what the law of countries asks for.
import { readConfidences } from '../../../core/confidence.ts';
import { wireNumber } from '../../../core/money.ts';
import { limitKinds, limitPeriods, type PlayerRule } from '../../../core/players/rule.ts';
import { orThrow } from '../../../core/refusal.ts';
import { PlayerPolicyResource } from '../../../entries/players.ts';
import { loadPlayerRules } from '../../../platform/data-files.ts';
import { CountryCode } from '../../kernel/amounts.ts';
import { Extended, Money, Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { findPolicy, policyResource, policyState } from '../player-store.ts';

const ShownRule = Named('PlayerRule', 'A rule of the law of a country for the protection of players.', {
  ruleId: Type.String({ description: 'Its id.' }),
  countryCode: Type.String({ description: 'Country of the law.' }),
  kind: Type.Enum(['LIMIT', 'RAISE_DELAY', 'REGISTER'], {
    description:
      'LIMIT: a limit for every player. RAISE_DELAY: hours before a limit may rise. REGISTER: a register of excluded players.',
  }),
  validFrom: Type.String({ description: 'First day in force, `YYYY-MM-DD`.' }),
  validTo: Nullable(Type.String(), 'First day no longer in force; null without end.'),
  law: Type.String({ description: 'The law, as cited.' }),
  url: Type.String({ description: 'Address of the law or of its authority.' }),
  confidence: Type.Enum(readConfidences, {
    description:
      'Confidence in the rule: `official` if the law or a page of its authority was read, `secondary` if another text was.',
  }),
  readOn: Nullable(Type.String(), 'Day on which `url` was read; null if assumed.'),
  says: Type.String({ description: 'Text of `url`, in short; empty if assumed.' }),
  note: Type.String({ description: 'Remarks.' }),
  limit: Type.Optional(Type.Enum(limitKinds, { description: 'The acts that a LIMIT counts.' })),
  period: Type.Optional(Type.Enum(limitPeriods, { description: 'Calendar period of a LIMIT.' })),
  currency: Type.Optional(Type.String()),
  amount: Type.Optional(Money('The limit.')),
  raisable: Type.Optional(Type.Boolean({ description: "Whether a limit of the player's own may be higher." })),
  perOperator: Type.Optional(
    Type.Boolean({ description: 'Whether a LIMIT counts what is done with one operator; else with all together.' }),
  ),
  hours: Type.Optional(Type.Integer({ description: 'Hours of a RAISE_DELAY.' })),
  register: Type.Optional(Type.String({ description: 'Name of a REGISTER, as `source` of its exclusions.' })),
  revocable: Type.Optional(Type.Boolean({ description: 'Whether an exclusion in it may end before its time.' })),
  leastMonths: Type.Optional(
    Type.Integer({ description: 'Months that an exclusion in it lasts at least, where it may end before its time.' }),
  ),
  ownLeastMonths: Type.Optional(
    Type.Integer({
      description: 'Months that an exclusion lasts at least which a player asks an operator for without naming a day.',
    }),
  ),
});

export const getPlayerPolicy = operation({
  id: 'getPlayerPolicy',
  method: 'GET',
  path: '/v1/player/policy',
  tag: 'Players',
  area: 'records',
  summary: 'Get the policy for players',
  description: "The PSP's policy, and the limits, delays and registers of countries that are in force.",
  audience: ['psp', 'client'],
  query: Type.Object({ countryCode: Type.Optional(CountryCode) }),
  content: Extended(PlayerPolicyResource, 'PlayerPolicyAndRules', 'The policy of a PSP, and the rules of countries.', {
    rules: Type.Array(ShownRule, { description: 'Rules of the law of countries, by country.' }),
  }),
  conditional: true,
  refusals: ['UNKNOWN_COUNTRY'],
  async handle({ principal, query, now }, s: Needs<'db' | 'reference'>) {
    const country = orThrow(query.countryCode === undefined ? undefined : s.reference.country(query.countryCode));
    const day = new Date(now).toISOString().slice(0, 10);
    const all = loadPlayerRules();
    const rules = (country === undefined ? all.countries : [country.alpha2]).flatMap((c) =>
      all.inForce(c, day).map((r) => shown(c, r)),
    );
    const policy = await findPolicy(s.db, principal.psp);
    const state = policyState(principal.psp, policy);
    return { message: 'policy', content: { ...policyResource(policy), rules }, state };
  },
});

/** That a raise waits for the end of the period is in the words of the law; `pendingFrom` of a limit has the moment. */
function shown(countryCode: string, r: PlayerRule) {
  const { id, ...rest } = r;
  const amount = r.kind === 'LIMIT' ? { amount: wireNumber(r.amount) } : {};
  return { ruleId: id, countryCode, ...rest, ...amount, afterPeriod: undefined };
}

import { formatUnits, type Numeral } from '../../../core/money.ts';
import {
  isRestricting,
  limitChanged,
  limitEnded,
  type Restriction,
  raisedFrom,
} from '../../../core/players/restriction.ts';
import { limitKinds, limitPeriods } from '../../../core/players/rule.ts';
import { orThrow, phrase, refuse, said } from '../../../core/refusal.ts';
import { differenceOf, isNegative, sumOf } from '../../../core/sums.ts';
import { RestrictionResource } from '../../../entries/players.ts';
import { loadPlayerRules } from '../../../platform/data-files.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { CountryCode, readAmount } from '../../kernel/amounts.ts';
import { AmountOrZero, Named, type Needs, Nullable, operation, Reason, Type } from '../../kernel/operation.ts';
import { timeZoneOf } from '../../kernel/report-period.ts';
import { playerHashes } from '../identity.ts';
import {
  countryOf,
  exampleSubjects,
  OperatorId,
  operatorOf,
  PlayerSubjects,
  playerChange,
  Source,
} from '../player-fields.ts';
import { restrictionResource, restrictionsOf } from '../player-store.ts';
import { changedBy, newRestriction, type RestrictNeeds, restrict } from '../restrict.ts';

const AskedLimit = Named('PlayerLimit', 'A limit of a player, as it is set.', {
  kind: Type.Enum(limitKinds),
  period: Type.Enum(limitPeriods, { description: 'Calendar period.' }),
  currency: Type.String({ description: 'ISO 4217 code or asset code.', minLength: 3, maxLength: 10 }),
  amount: Nullable(AmountOrZero('Amount of the period.'), 'The limit; null ends it.'),
});

export const setPlayerLimits = operation({
  ...playerChange,
  id: 'setPlayerLimits',
  path: '/v1/player/limits',
  summary: 'Set limits of a player',
  description:
    'A new or lower limit applies at once. A higher one, and the end of one, waits as long as the law of the country asks (getPlayerPolicy), else 24 hours. Limits that are not named do not change. Where `subjects` names more of the player than was known, a limit of the same kind, period and currency goes on, under another id, for all of it.',
  body: Type.Object({
    subjects: PlayerSubjects,
    limits: Type.Array(AskedLimit, {
      minItems: 1,
      maxItems: 30,
      description: 'One for each kind, period and currency.',
    }),
    source: Type.Optional(Source),
    clientId: OperatorId,
    countryCode: Type.Optional(CountryCode),
    reason: Type.Optional(Reason),
  }),
  content: Named('PlayerLimits', 'The limits that were named, after the change.', {
    limits: Type.Array(RestrictionResource, { description: 'In the order of the request.' }),
  }),
  example: {
    subjects: exampleSubjects,
    limits: [{ kind: 'DEPOSIT', period: 'MONTH', currency: 'KES', amount: 20000 }],
  },
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY', 'UNKNOWN_CURRENCY', 'AMOUNT_PRECISION', 'STATE_CONFLICT'],
  async handle(call, s: RestrictNeeds & Needs<'reference' | 'rates'> & HasAccounts) {
    const { principal, body: b, now } = call;
    const { psp } = principal;
    const account = await operatorOf(s, call, b.clientId);
    const country = await countryOf(s, psp, account, b.countryCode);
    const at = new Date(now).toISOString();
    const subjects = playerHashes(s, psp, b.subjects);
    const asked = b.limits.map((l) => readLimit(s, l, at.slice(0, 10)));
    const named = new Set(asked.map((l) => `${l.kind} ${l.period} ${l.currency}`));
    if (named.size < asked.length)
      throw refuse('FIELD_INVALID', "the field 'limits' names a kind, period and currency twice");
    const day = at.slice(0, 10);
    refuseAboveLaw(asked, country, day);
    const raisedIn = (of: string | null, period: Read['period']) =>
      raisedFrom(at, loadPlayerRules().raiseDelay(of, day), period, timeZoneOf(s, of));
    return restrict(s, principal, { psp, at, reason: b.reason }, async (tx) => {
      const own = (await restrictionsOf(tx, { psp, hashes: subjects })).filter(
        (r) => r.account === account && isRestricting(r, at),
      );
      const changed: Restriction[] = [];
      const after = asked.flatMap((l) => {
        const same = own.filter((r) => r.kind === l.kind && r.period === l.period && r.currency === l.currency);
        if (l.amount === null && same.length === 0)
          throw refuse(
            'STATE_CONFLICT',
            said`the player has no ${phrase(l.kind)} limit a ${phrase(l.period)} in ${l.currency} to end`,
          );
        if (same.length === 0 && l.amount !== null) {
          const { amount, ...of } = l;
          const made = newRestriction(
            s,
            principal,
            { psp, account, at },
            {
              ...of,
              amount,
              subjects,
              source: b.source ?? 'PLAYER',
              reference: null,
              country,
              fromAt: at,
              untilAt: null,
            },
          );
          changed.push(made);
          return [made];
        }
        return same.map((before) => {
          // The law under which the limit was set holds for it, whatever country the change names.
          refuseAboveLaw([l], before.country, day);
          const [a, b] = [raisedIn(before.country, l.period), raisedIn(country, l.period)];
          const raised = a > b ? a : b;
          const next = l.amount === null ? limitEnded(before, raised) : limitChanged(before, l.amount, at, raised);
          const known = [...new Set([...before.subjects, ...subjects])].sort();
          if (l.amount !== null && known.length > before.subjects.length) {
            // The player is known by more keys than before: a restriction with all of them takes over from this one.
            changed.push({ ...changedBy(principal, before, at), untilAt: at });
            const made = newRestriction(s, principal, { psp, account, at }, { ...next, subjects: known, fromAt: at });
            changed.push(made);
            return made;
          }
          if (sameLimit(next, before)) return before;
          const made = changedBy(principal, next, at);
          changed.push(made);
          return made;
        });
      });
      return {
        changed,
        reply: {
          message: 'limits set',
          content: { limits: after.map((r) => restrictionResource(r, at)) },
          replayed: changed.length === 0,
        },
      };
    });
  },
});

const sameLimit = (a: Restriction, b: Restriction): boolean =>
  a.amount === b.amount && a.pendingAmount === b.pendingAmount && a.untilAt === b.untilAt;

type Read = Pick<Restriction, 'amount'> & {
  readonly kind: (typeof limitKinds)[number];
  readonly period: (typeof limitPeriods)[number];
  readonly currency: string;
};

/** @throws UNKNOWN_CURRENCY, AMOUNT_PRECISION */
function readLimit(
  s: Needs<'reference'>,
  l: { kind: string; period: string; currency: string; amount: Numeral | null },
  day: string,
): Read {
  const asset = orThrow(s.reference.asset(l.currency, day, true));
  const of = { kind: l.kind as Read['kind'], period: l.period as Read['period'], currency: asset.code };
  if (l.amount === null) return { ...of, amount: null };
  const units = orThrow(readAmount('limits.amount', l.amount, asset, 'zero'));
  return { ...of, amount: sumOf([formatUnits(units, asset.decimals)]) };
}

/** @throws STATE_CONFLICT if the law of the country allows no limit as high */
function refuseAboveLaw(asked: readonly Read[], country: string | null, day: string): void {
  if (country === null) return;
  for (const rule of loadPlayerRules().limits(country, day))
    for (const l of asked)
      if (
        !rule.raisable &&
        l.amount !== null &&
        rule.limit === l.kind &&
        rule.period === l.period &&
        rule.currency === l.currency &&
        isNegative(differenceOf(rule.amount, l.amount))
      )
        throw refuse(
          'STATE_CONFLICT',
          said`the law of ${country} allows at most ${rule.amount} ${rule.currency} (${rule.law})`,
        );
}

import { isRestricting, type Restriction } from '../../../core/players/restriction.ts';
import { RestrictionResource } from '../../../entries/players.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { CountryCode } from '../../kernel/amounts.ts';
import { type Needs, operation, Reason, Text, Time, Type } from '../../kernel/operation.ts';
import { playerHashes } from '../identity.ts';
import {
  countryOf,
  exampleSubjects,
  OperatorId,
  operatorOf,
  PlayerSubjects,
  playerChange,
  readSpan,
  Source,
} from '../player-fields.ts';
import { restrictionResource, restrictionsOf } from '../player-store.ts';
import { newRestriction, type RestrictNeeds, restrict } from '../restrict.ts';

export const excludePlayer = operation({
  ...playerChange,
  id: 'excludePlayer',
  path: '/v1/player/exclude',
  summary: 'Exclude a player from gambling',
  description:
    'From then on deposits and wagers of a customer who is known by one of the values are noted or refused, as the policy of the PSP says; withdrawals and payouts never are. An equal exclusion that is in force is returned as it is.',
  body: Type.Object({
    subjects: PlayerSubjects,
    source: Source,
    clientId: OperatorId,
    from: Type.Optional(Time('First moment; default: at once.')),
    until: Type.Optional(Time('When it ends; without it, it has no end.')),
    reference: Type.Optional(Text("The register's reference; must not name the player.", 100)),
    countryCode: Type.Optional(CountryCode),
    reason: Type.Optional(Reason),
  }),
  content: RestrictionResource,
  example: { subjects: exampleSubjects, source: 'PLAYER', until: '2027-06-01T00:00:00Z' },
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY'],
  async handle(call, s: RestrictNeeds & Needs<'reference'> & HasAccounts) {
    const { principal, body: b, now } = call;
    const { psp } = principal;
    const account = await operatorOf(s, call, b.clientId);
    const country = await countryOf(s, psp, account, b.countryCode);
    const span = readSpan(b.from, b.until, now);
    const at = new Date(now).toISOString();
    const subjects = playerHashes(s, psp, b.subjects);
    const reference = b.reference ?? null;
    const equal = (r: Restriction) =>
      r.kind === 'EXCLUSION' &&
      r.account === account &&
      r.source === b.source &&
      r.reference === reference &&
      r.untilAt === span.untilAt &&
      (b.from === undefined ? isRestricting(r, at) : r.fromAt === span.fromAt) &&
      r.subjects.length === subjects.length &&
      r.subjects.every((hash) => subjects.includes(hash));
    return restrict(s, principal, { psp, at, reason: b.reason }, async (tx) => {
      const same = (await restrictionsOf(tx, { psp, hashes: subjects })).find(equal);
      const restriction =
        same ??
        newRestriction(
          s,
          principal,
          { psp, account, at },
          { kind: 'EXCLUSION', subjects, source: b.source, reference, country, ...span },
        );
      return {
        changed: same ? [] : [restriction],
        reply: {
          message: 'player excluded',
          content: restrictionResource(restriction, at),
          replayed: same !== undefined,
        },
      };
    });
  },
});

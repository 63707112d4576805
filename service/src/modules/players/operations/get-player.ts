// POST /v1/player/find: what restricts a player, and how much of each limit is used.
import { isoTime } from '../../../core/calendar.ts';
import { isLimit, isRestricting, periodStart, type Restriction } from '../../../core/players/restriction.ts';
import { roles } from '../../../core/roles.ts';
import { wireSum } from '../../../core/sums.ts';
import { RestrictionResource } from '../../../entries/players.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { Extended, Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { timeZoneOf } from '../../kernel/report-period.ts';
import { playerHashes } from '../identity.ts';
import { exampleSubjects, PlayerSubjects } from '../player-fields.ts';
import { restrictionResource, restrictionsOf } from '../player-store.ts';
import { readUsed } from '../player-sums.ts';

export const getPlayer = operation({
  id: 'getPlayer',
  method: 'POST',
  path: '/v1/player/find',
  tag: 'Players',
  area: 'records',
  summary: 'Get the restrictions of a player',
  description:
    "Exclusions and limits of a customer who is known by one of the values, with what is used of each limit in its period. A client's key sees those that apply to it. The values are sent in the body, so that no proxy logs them.",
  audience: ['psp', 'client'],
  roles,
  standing: 'any',
  body: Type.Object({ subjects: PlayerSubjects }),
  content: Named('Player', 'The restrictions of a player.', {
    excluded: Type.Boolean({ description: 'Whether an exclusion is in force.' }),
    restrictions: Type.Array(
      Extended(
        RestrictionResource,
        'UsedRestriction',
        'An exclusion or a limit of a player, with what is used of it.',
        {
          used: Type.Optional(Money('Sum that counts against a limit so far in its period.')),
        },
      ),
      { description: 'Oldest first, including those that ended.' },
    ),
  }),
  example: { subjects: exampleSubjects },
  async handle(call, s: Needs<'db' | 'subjects' | 'reference' | 'rates'> & HasAccounts) {
    const { principal, body, now } = call;
    const { psp } = principal;
    const at = isoTime(now);
    const account = await listedClient(s, call);
    const found = (await restrictionsOf(s.db, { psp, hashes: playerHashes(s, psp, body.subjects) })).filter(
      (r) => account === undefined || r.account === psp || r.account === account,
    );
    const restrictions = await Promise.all(found.map((r) => withUse(s, r, at, now)));
    const excluded = found.some((r) => r.kind === 'EXCLUSION' && isRestricting(r, at));
    return { message: 'player', content: { excluded, restrictions } };
  },
});

async function withUse(s: Needs<'db' | 'reference' | 'rates'>, r: Restriction, at: string, now: number) {
  const resource = restrictionResource(r, at);
  if (!isLimit(r) || !isRestricting(r, at)) return resource;
  const { sum } = await readUsed(s.db, {
    psp: r.psp,
    kind: r.kind,
    gates: [r.id],
    hashes: r.subjects,
    from: isoTime(periodStart(r.period, timeZoneOf(s, r.country), now)),
    currency: r.currency,
    account: r.account === r.psp ? undefined : r.account,
  });
  return { ...resource, used: wireSum(sum) };
}

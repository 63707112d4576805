import { hoursAfter, isOwn, monthsAfter } from '../../../core/players/restriction.ts';
import { notFound, refuse, said } from '../../../core/refusal.ts';
import { RestrictionResource } from '../../../entries/players.ts';
import { loadPlayerRules } from '../../../platform/data-files.ts';
import { idAsked } from '../../kernel/asked.ts';
import { operation, Reason, type Reply, Type } from '../../kernel/operation.ts';
import { playerChange } from '../player-fields.ts';
import { findRestriction, restrictionResource } from '../player-store.ts';
import { changedBy, type RestrictNeeds, restrict } from '../restrict.ts';

export const endExclusion = operation({
  ...playerChange,
  id: 'endExclusion',
  path: '/v1/player/restriction/:restrictionId/end',
  summary: 'End an exclusion of a player',
  description:
    "At once, unless it comes from a register whose law does not let it end early, or from the player (the source PLAYER): that one ends when it says, and one without an end after the delay of the country's law, else 24 hours. An exclusion ends no sooner than the law lets it, such as six months after it began. What was recorded by mistake ends at once, these by the PSP alone. A limit is changed with setPlayerLimits.",
  body: Type.Object({
    reason: Reason,
    mistaken: Type.Optional(
      Type.Boolean({ description: 'Whether it was recorded by mistake, as for another person. Default: false.' }),
    ),
  }),
  content: RestrictionResource,
  example: { reason: 'recorded for another person of the same name', mistaken: true },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle({ principal, params, body, now, onBehalfOf }, s: RestrictNeeds) {
    const { psp } = principal;
    const id = idAsked('restriction', params.restrictionId);
    const at = new Date(now).toISOString();
    const only = principal.kind === 'client' ? principal.account : onBehalfOf;
    return restrict<Reply>(s, principal, { psp, at, reason: body.reason }, async (tx) => {
      const before = await findRestriction(tx, psp, id);
      if (!before || (only !== undefined && before.account !== only)) throw notFound();
      if (before.kind !== 'EXCLUSION')
        throw refuse('STATE_CONFLICT', 'this is a limit: change it with setPlayerLimits, where a null amount ends it');
      if (before.untilAt !== null && before.untilAt <= at)
        return {
          changed: [],
          reply: { message: 'exclusion ended before', content: restrictionResource(before, at), replayed: true },
        };
      const rules = loadPlayerRules();
      const rule = rules.register(before.country, at.slice(0, 10), before.source);
      if (rule && !rule.revocable && body.mistaken !== true)
        throw refuse(
          'STATE_CONFLICT',
          said`an exclusion in ${rule.register} cannot end before its time (${rule.law}); if it was recorded by mistake, say so with mistaken`,
        );
      const isKept = isOwn(before) || (rule !== undefined && !rule.revocable);
      if (isKept && body.mistaken === true && principal.kind === 'client')
        throw refuse(
          'STATE_CONFLICT',
          'whether this exclusion was recorded by mistake is for your PSP to say: ask it to end the exclusion',
        );
      const first = at > before.fromAt ? at : before.fromAt;
      const day = at.slice(0, 10);
      const own = isOwn(before) && body.mistaken !== true;
      const least =
        body.mistaken === true ? 0 : own ? rules.ownLeastMonths(before.country, day) : (rule?.leastMonths ?? 0);
      const earliest = monthsAfter(before.fromAt, least);
      const next = own ? hoursAfter(first, rules.raiseDelay(before.country, day).hours) : first;
      const untilAt = next > earliest ? next : earliest;
      const waits = untilAt > first;
      if (waits && before.untilAt !== null && (own || before.untilAt <= untilAt)) {
        if (before.untilAt > untilAt)
          throw refuse(
            'STATE_CONFLICT',
            'the player asked for this exclusion until a day, and it cannot end before; if it was recorded by mistake, say so with mistaken',
          );
        const content = restrictionResource(before, at);
        return { changed: [], reply: { message: 'exclusion ends', content, replayed: true } };
      }
      const after = { ...changedBy(principal, before, at), untilAt };
      const message = waits ? 'exclusion ends' : 'exclusion ended';
      return { changed: [after], reply: { message, content: restrictionResource(after, at) } };
    });
  },
});

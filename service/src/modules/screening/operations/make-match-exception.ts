import { excepted } from '../../../core/screening/match.ts';
import { operation, Reason, Type } from '../../kernel/operation.ts';
import { type ChangeNeeds, changeMatch } from '../change-match.ts';
import { MatchResource } from '../match-resource.ts';

export const makeMatchException = operation({
  id: 'makeMatchException',
  method: 'POST',
  path: '/v1/list-matches/:matchId/exception',
  tag: 'Lists',
  area: 'records',
  summary: 'Say that a match is of somebody else',
  description:
    'The match opens no further review until the given time, or until the entry of the list changes: the exception is for the entry as it is.',
  audience: ['psp', 'operator'],
  roles: ['administrator', 'reviewer'],
  body: Type.Object({
    reason: Reason,
    until: Type.Optional(
      Type.String({
        description: 'When the exception ends, ISO 8601 UTC. Default: never.',
        format: 'date-time',
        maxLength: 40,
      }),
    ),
  }),
  content: MatchResource,
  example: { reason: 'another date of birth; the passport was seen' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  handle(call, s: ChangeNeeds) {
    const { reason, until } = call.body;
    const exception = {
      by: call.principal.actor,
      at: new Date(call.now).toISOString(),
      reason,
      until: until === undefined ? null : new Date(until).toISOString(),
    };
    return changeMatch(s, call, 'exception made', (before) => excepted(before, exception), reason);
  },
});

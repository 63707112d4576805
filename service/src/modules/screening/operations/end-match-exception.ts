import { exceptionEnded } from '../../../core/screening/match.ts';
import { operation, ReasonBody } from '../../kernel/operation.ts';
import { type ChangeNeeds, changeMatch } from '../change-match.ts';
import { MatchResource } from '../match-resource.ts';

export const endMatchException = operation({
  id: 'endMatchException',
  method: 'POST',
  path: '/v1/list-matches/:matchId/exception/end',
  tag: 'Lists',
  area: 'records',
  summary: 'End the exception of a match',
  description: 'The match is open again.',
  audience: ['psp', 'operator'],
  roles: ['administrator', 'reviewer'],
  body: ReasonBody,
  content: MatchResource,
  example: { reason: 'the passport was forged' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  handle: (call, s: ChangeNeeds) => changeMatch(s, call, 'exception ended', exceptionEnded, call.body.reason),
});

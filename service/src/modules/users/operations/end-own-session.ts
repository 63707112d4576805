import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { endSession } from '../live-sessions.ts';
import { ownSession } from '../second-factor.ts';
import { ownSessionChange } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const endOwnSession = operation({
  ...ownSessionChange,
  id: 'endOwnSession',
  method: 'POST',
  path: '/v1/session/all/:sessionId/end',
  summary: "End one of one's own sessions",
  description: 'Takes effect within a second.',
  body: Type.Object({}),
  content: Type.Object({}),
  example: {},
  refusals: ['NOT_FOUND'],
  async handle({ principal, params, now }, s: Needs<'ids' | 'db' | 'committer'> & HasSessions) {
    const { user } = await ownSession(s, principal);
    await endSession(s, principal, user, params.sessionId ?? '', now);
    return { message: 'session ended', content: {} };
  },
});

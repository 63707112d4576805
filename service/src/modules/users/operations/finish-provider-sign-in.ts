import { everybody, type Needs, operation, Secret, Type } from '../../kernel/operation.ts';
import { finishAtProvider, type HasProviders } from '../providers.ts';
import { asked, begun, SecondFactorAsked, SessionContent } from '../session-reply.ts';
import type { HasSessions } from '../sessions.ts';

export const finishProviderSignIn = operation({
  id: 'finishProviderSignIn',
  method: 'POST',
  path: '/v1/session/provider/:provider',
  tag: 'Session',
  summary: 'Sign in through a provider',
  description:
    'Sets the cookie `assay_session` for the person of the account whose e-mail the provider has verified. It creates nobody and changes no role. A person with a second factor gets a challenge, unless that of the provider is trusted.',
  audience: everybody,
  access: 'open',
  body: Type.Object({
    attempt: Secret({ description: 'As startProviderSignIn returned it.', minLength: 1, maxLength: 1000 }),
    query: Secret({
      description: 'The query of the address that the provider led back to.',
      minLength: 1,
      maxLength: 2900,
    }),
  }),
  content: Type.Union([SessionContent, SecondFactorAsked]),
  example: { attempt: 'v1:…', query: 'code=…&state=…' },
  refusals: ['NOT_FOUND', 'SIGN_IN_FAILED', 'RATE_LIMITED'],
  async handle(
    call,
    s: Needs<'settings' | 'vault' | 'log' | 'monotonic' | 'ids' | 'db' | 'committer'> & HasProviders & HasSessions,
  ) {
    const answer = await finishAtProvider(s, call.params.provider ?? '', call.body, call);
    return 'half' in answer
      ? asked(s, answer.half, { method: 'PROVIDER', identity: answer.identity }, call.now)
      : begun(s, answer, 'signed in');
  },
});

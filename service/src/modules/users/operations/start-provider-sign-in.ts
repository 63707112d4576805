import { everybody, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { type HasProviders, startAtProvider } from '../providers.ts';

const ProviderSignIn = Named('ProviderSignIn', 'A sign-in that continues at its provider.', {
  url: Type.String({ description: 'Address of the provider to open in the browser.' }),
  attempt: Type.String({ description: 'Kept by the browser meanwhile; send it to finishProviderSignIn.' }),
});

export const startProviderSignIn = operation({
  id: 'startProviderSignIn',
  method: 'POST',
  path: '/v1/session/provider/:provider/start',
  tag: 'Session',
  summary: 'Begin to sign in through a provider',
  description: 'OpenID Connect: the code flow with PKCE, state and nonce.',
  audience: everybody,
  access: 'open',
  body: Type.Object({}),
  content: ProviderSignIn,
  example: {},
  refusals: ['NOT_FOUND', 'RATE_LIMITED'],
  async handle({ params, now }, s: Needs<'settings' | 'vault' | 'log' | 'monotonic'> & HasProviders) {
    return { message: 'go to the provider', content: await startAtProvider(s, params.provider ?? '', now) };
  },
});

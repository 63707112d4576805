import { everybody, Named, type Needs, operation, Type } from '../../kernel/operation.ts';

const SignInProvider = Named('SignInProvider', 'A provider through which people sign in.', {
  provider: Type.String({ description: 'Name of the provider, for startProviderSignIn.' }),
  label: Type.String({ description: 'Name of the provider, for people.' }),
});

export const listSignInProviders = operation({
  id: 'listSignInProviders',
  method: 'GET',
  path: '/v1/session/provider',
  tag: 'Session',
  summary: 'Providers through which people sign in',
  audience: everybody,
  access: 'open',
  content: Type.Object({ items: Type.Array(SignInProvider) }),
  refusals: ['RATE_LIMITED'],
  async handle(_call, s: Needs<'settings'>) {
    const items = s.settings.signInProviders.map(({ name, label }) => ({ provider: name, label }));
    return { message: 'sign-in providers', content: { items } };
  },
});

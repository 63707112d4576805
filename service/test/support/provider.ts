// A real provider of OpenID Connect in the process of a test: who signs in there is chosen by the test.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface AtProvider {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  /** Ways in which they signed in there. */
  readonly amr?: readonly string[];
}

export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in there from here on. */
  who: AtProvider;
  /** Follows a browser from an address of the provider to where it leads back; returns that address. */
  follow(url: string): Promise<URL>;
  stop(): Promise<void>;
}

const clientId = 'assay';
const clientSecret = 'a secret of the test provider, shared';

/** @param returnTo addresses that it leads back to */
export async function startProvider(returnTo: readonly string[]): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: TestProvider = {
    ...{ issuer, clientId, clientSecret, follow },
    who: { sub: 'nobody', email: 'nobody@example.com', email_verified: true },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...returnTo],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['one key of the test provider'] },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ ...made.who, sub: accountId }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    // Whoever comes is signed in at once, and agrees.
    void (async () => {
      const { params } = await provider.interactionDetails(request, response);
      const grant = new provider.Grant({ accountId: made.who.sub, clientId: String(params.client_id) });
      grant.addOIDCScope('openid email');
      const login = { accountId: made.who.sub, remember: false, amr: [...(made.who.amr ?? [])] };
      const consent = { grantId: await grant.save() };
      await provider.interactionFinished(request, response, { login, consent }, { mergeWithLastSubmission: false });
    })();
  });
  return made;

  async function follow(url: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let at = new URL(url);
    for (let steps = 0; at.href.startsWith(issuer); steps++) {
      if (steps > 10) throw new Error(`${at} leads nowhere`);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const r = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const line of r.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = r.headers.get('location');
      if (location === null) throw new Error(`${at} answered ${r.status}: ${await r.text()}`);
      at = new URL(location, at);
    }
    return at;
  }
}

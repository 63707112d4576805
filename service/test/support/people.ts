// People who sign in to a test app: created by the service's own code, they call it with cookie and CSRF token as a
// browser does.
import { stepOf } from '../../src/core/one-time-code.ts';
import type { Role } from '../../src/core/roles.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { createUser } from '../../src/modules/users/change-user.ts';
import { codeOf } from '../../src/platform/one-time-codes.ts';
import type { Account, Answer, TestApp } from './app.ts';
import { contentOf } from './guarantees.ts';

export interface SignedIn {
  readonly userId: string;
  readonly cookie: string;
  readonly csrfToken: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Signs out. */
  leave(): Promise<Answer>;
}

export interface Person {
  readonly email: string;
  readonly password: string;
}

let people = 0;

export const cookieOf = (r: Answer): string => (r.headers.get('set-cookie') as string).split(';')[0] as string;

/** The session that a reply started. */
export function sessionOf(t: TestApp, r: Answer): SignedIn {
  const { user, csrfToken } = contentOf(r);
  const cookie = cookieOf(r);
  const proof = { cookie, 'x-csrf-token': csrfToken };
  return {
    userId: user.userId,
    cookie,
    csrfToken,
    get: (path, headers = {}) => t.get(path, undefined, { cookie, ...headers }),
    post: (path, body, headers = {}) => t.post(path, body, undefined, { ...proof, ...headers }),
    leave: () => t.raw('/v1/session', { method: 'DELETE', headers: proof }),
  };
}

export const trySignIn = (t: TestApp, { email, password }: Person): Promise<Answer> =>
  t.post('/v1/session', { email, password });

export const signIn = async (t: TestApp, person: Person): Promise<SignedIn> => sessionOf(t, await trySignIn(t, person));

/** Creates a person of an account, with a one-time password. */
export async function invite(t: TestApp, account: Account, role: Role): Promise<Person> {
  const email = `person-${++people}@example.com`;
  const made = await createUser(
    t.app.services,
    system,
    { email, name: `Person ${people}`, role, account: account.uuid },
    t.now(),
  );
  return { email, password: made.password };
}

/** Creates a person who has signed in with a password of their own. */
export async function enter(t: TestApp, account: Account, role: Role): Promise<SignedIn & Person> {
  const person = await invite(t, account, role);
  // As if the password had been changed; changing it would be slow, since deriving keys is slow on purpose.
  await t.database.admin.query("UPDATE users SET password_kind = 'OWN' WHERE email = $1", [person.email]);
  return { ...(await signIn(t, person)), ...person };
}

export interface WithCodes extends SignedIn, Person {
  /** The generator's secret in base32. */
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** The code that the person's generator shows, some steps of 30 seconds later. */
export const codeNow = (t: TestApp, { secret }: { readonly secret: string }, steps = 0): string =>
  codeOf(secret, stepOf(t.now()) + steps);

/** A code generator set up by somebody who is signed in; the code shown at that moment is used. */
export async function setUpCodes(t: TestApp, person: SignedIn & Person): Promise<WithCodes> {
  const { secret, setUp } = contentOf(await person.post('/v1/session/codes/start', {}));
  const r = await person.post('/v1/session/codes', { setUp, code: codeNow(t, { secret }) });
  return { ...person, ...sessionOf(t, r), secret, recoveryCodes: contentOf(r).recoveryCodes };
}

/** The first step of a sign-in by somebody who has a second factor. */
export const challengeOf = async (t: TestApp, person: Person): Promise<string> =>
  contentOf(await trySignIn(t, person)).challenge;

export const secondStep = (t: TestApp, challenge: string, code: string): Promise<Answer> =>
  t.post('/v1/session/second-factor', { challenge, code });

// People of the demo world who can sign in to the console, with one password for all of them.
import { type Assay, Assay as Client, isRefusal } from '@assay/client';
import type { Settled } from './settle-in.ts';

export interface SignIn {
  readonly email: string;
  readonly role: string;
  readonly of: string;
}

const staffed = [
  ['administrator', 'Ada Okafor'],
  ['reviewer', 'Ngozi Eze'],
  ['auditor', 'Kofi Mensah'],
] as const;

/** Makes those who are not there yet, and gives them the password. */
export async function signIns(
  url: string,
  staff: Assay,
  settled: readonly Settled[],
  password: string,
): Promise<SignIn[]> {
  const wanted = staffed.map(([role, name]) => ({
    email: `${role}@demo.example`,
    name,
    role,
    of: 'the staff',
    accountId: undefined,
  }));
  const psps = settled.map(({ house, pspId }) => ({
    email: `${house.code}@demo.example`,
    name: house.contact,
    role: 'administrator' as const,
    of: house.name,
    accountId: pspId,
  }));
  for (const { email, name, role, accountId } of [...wanted, ...psps]) {
    try {
      const made = await staff.createUser({ email, name, role, ...(accountId === undefined ? {} : { accountId }) });
      await choose(url, email, made.password, password);
    } catch (e) {
      if (!isRefusal(e, 'ALREADY_REGISTERED')) throw e;
    }
  }
  return [...wanted, ...psps].map(({ email, role, of }) => ({ email, role, of }));
}

/** Signs in with the one-time password and puts the chosen one in its place. */
async function choose(url: string, email: string, oneTime: string, password: string): Promise<void> {
  let cookie = '';
  const keeping: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (cookie) headers.set('cookie', cookie);
    const response = await fetch(input, { ...init, headers });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return response;
  };
  const person = new Client({ baseUrl: url, session: true, fetch: keeping });
  await person.signIn({ email, password: oneTime });
  await person.changePassword({ currentPassword: oneTime, newPassword: password });
  await person.signOut();
}

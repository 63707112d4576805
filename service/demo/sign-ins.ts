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
  const others = [await clientsPerson(settled), await inspector(staff)];
  const all = [...wanted, ...psps, ...others];
  for (const { email, name, role, accountId } of all) {
    try {
      const made = await staff.createUser({ email, name, role, ...(accountId === undefined ? {} : { accountId }) });
      await choose(url, email, made.password, password);
    } catch (e) {
      if (!isRefusal(e, 'ALREADY_REGISTERED')) throw e;
    }
  }
  return all.map(({ email, role, of }) => ({ email, role, of }));
}

async function clientsPerson([lagos]: readonly Settled[]) {
  const who = { email: 'eko@demo.example', name: 'Bisi Alabi', role: 'administrator' as const, of: 'Eko Bet Ltd' };
  return { ...who, accountId: lagos?.clients.get('eko') };
}

/** A person of a tax authority that reads what concerns Nigeria. */
async function inspector(staff: Assay) {
  const name = 'Revenue Service of Nigeria (demo)';
  const known = (await staff.listAuthorities({ limit: 200 })).items.find((a) => a.name === name);
  const made =
    known ??
    (await staff.createAuthority({
      name,
      countryCode: 'NG',
      recordKinds: ['transaction', 'wager', 'payout', 'basket', 'cdr'],
      dayFrom: '2020-01-01',
      until: '2099-12-31T00:00:00Z',
      reason: 'audit of the demo',
    }));
  const who = { email: 'inspector@demo.example', name: 'Amina Yusuf', role: 'auditor' as const };
  return { ...who, of: name, accountId: made.authorityId };
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

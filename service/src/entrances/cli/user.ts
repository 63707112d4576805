// assay user: people who sign in to the console. A one-time password is printed when it is made and never again.
import { type Command, Option } from 'commander';
import { fromWire, toWire } from '../../core/ids.ts';
import { notFound, refuse } from '../../core/refusal.ts';
import { roles } from '../../core/roles.ts';
import { clientId, findAnyAccount } from '../../modules/accounts/index.ts';
import type { Operation } from '../../modules/kernel/operation.ts';
import { findUsersByEmail, plainEmail, staffAccount } from '../../modules/users/index.ts';
import {
  addUser,
  disableUserById,
  enableUserById,
  listAllUsers,
  resetPasswordById,
  setUserRole,
} from '../../modules/users/operations/administer-users.ts';
import type { Served } from '../http/operations.ts';
import { add, group, needed, option, wholeNumber } from './command.ts';
import type { Output } from './output.ts';
import { type Session, withSession } from './session.ts';

interface Shown {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly mustChangePassword: boolean;
  readonly lockedUntil: string | null;
  readonly signedInAt: string | null;
  /** In lists only. */
  readonly seenNetwork?: string | null;
}

interface WithPassword {
  readonly user: Shown;
  readonly password: string;
}

const stateOf = (u: Shown): string =>
  u.state === 'DISABLED' ? 'disabled' : u.lockedUntil !== null ? 'locked' : u.mustChangePassword ? 'invited' : 'active';

function show(out: Output, u: Shown, password?: string): void {
  out.facts([
    ['User', u.userId],
    ['E-mail', u.email],
    ['Name', u.name],
    ['Account', u.accountId],
    ['Role', u.role],
    ['State', stateOf(u)],
    ...(password === undefined ? [] : [['Password', password] as const]),
  ]);
}

function showPassword(out: Output, made: WithPassword): void {
  out.result(made, () => show(out, made.user, made.password));
  out.remark('Hand the password over: it is not shown again and must be changed at the next sign-in.');
}

/** The id of a person named by id or e-mail. @throws not found */
async function userId({ services: s }: Session, text: string): Promise<string> {
  if (fromWire('user', text)) return text;
  const [found, another] = await findUsersByEmail(s.db, plainEmail(text));
  if (!found) throw notFound();
  if (another) throw refuse('REF_AMBIGUOUS', 'the e-mail signs in to several accounts; name the person by usr_…');
  return toWire('user', found.id);
}

const reason = () => needed('--reason <text>', 'why; kept in the journal');

export function userCommands(program: Command): void {
  const user = group(program, 'user', 'people who sign in to the console');
  add<{ email: string; name: string; role: string; account?: string }>(
    user,
    'create',
    'let a person sign in; the one-time password is printed this once',
    [
      needed('--email <address>', 'what the person signs in with'),
      needed('--name <name>', 'what the person is called'),
      new Option('--role <role>', 'what the person may do').choices(roles).makeOptionMandatory(),
      option('--account <accountId>', "a PSP's or an operator's account (psp_…); the staff's without it"),
    ],
    (out, { email, name, role, account }) =>
      withSession(out, async (session) => {
        const { services: s, principal, now } = session;
        const accountId = account ?? (await wireOf(session, await staffAccount(s, principal, now)));
        const { content } = await session.ask(addUser, {
          body: { email, name, role, accountId },
          options: { accountId: '--account' },
        });
        showPassword(out, content as WithPassword);
      }),
  );
  add<{ account?: string; limit: number; cursor?: string }>(
    user,
    'list',
    'people who may sign in, newest first',
    [
      option('--account <accountId>', 'only the staff of this account'),
      option('--limit <n>', 'most people shown').argParser(wholeNumber(1, 200)).default(50),
      option('--cursor <cursor>', 'nextCursor of the page before'),
    ],
    (out, { account, limit, cursor }) =>
      withSession(out, async (session) => {
        const query = { limit, ...(account ? { accountId: account } : {}), ...(cursor ? { cursor } : {}) };
        const { content } = await session.ask(listAllUsers, { query });
        const list = content as { items: readonly Shown[]; nextCursor: string | null };
        out.result(list, () => {
          out.table<Shown>(
            [
              { title: 'User', value: (u) => u.userId },
              { title: 'E-mail', value: (u) => u.email },
              { title: 'Name', value: (u) => u.name },
              { title: 'Account', value: (u) => u.accountId },
              { title: 'Role', value: (u) => u.role },
              { title: 'State', value: stateOf },
              { title: 'Signed in', value: (u) => u.signedInAt },
              { title: 'Last seen from', value: (u) => u.seenNetwork ?? null },
            ],
            list.items,
          );
          if (list.nextCursor) out.line(`More: --cursor ${list.nextCursor}`);
        });
      }),
  );
  const change = (words: string, description: string, operation: Operation<Served>) =>
    add<{ reason: string }>(user, `${words} <user>`, description, [reason()], (out, { reason: why }, who) =>
      withSession(out, async (session) => {
        const params = { userId: await userId(session, who as string) };
        const { content } = await session.ask(operation, { params, body: { reason: why } });
        out.result(content, () => show(out, content as Shown));
      }),
    );
  change('disable', 'keep a person out; their sessions end within a second', disableUserById);
  change('enable', 'let a disabled or locked person sign in again', enableUserById);
  add<{ reason: string }>(user, 'role <user> <role>', "change a person's role", [reason()], (out, o, who, role) =>
    withSession(out, async (session) => {
      const params = { userId: await userId(session, who as string) };
      const { content } = await session.ask(setUserRole, {
        params,
        body: { role, reason: o.reason },
        options: { role: '<role>' },
      });
      out.result(content, () => show(out, content as Shown));
    }),
  );
  add<{ reason: string }>(
    user,
    'reset-password <user>',
    'give a person a new one-time password; their sessions end',
    [reason()],
    (out, { reason: why }, who) =>
      withSession(out, async (session) => {
        const params = { userId: await userId(session, who as string) };
        const { content } = await session.ask(resetPasswordById, { params, body: { reason: why } });
        showPassword(out, content as WithPassword);
      }),
  );
}

async function wireOf({ services: s }: Session, id: string): Promise<string> {
  const account = await findAnyAccount(s.db, id);
  if (!account) throw notFound();
  return clientId(account);
}

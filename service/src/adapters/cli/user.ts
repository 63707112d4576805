// assay user: people who sign in to the console. A one-time password is printed when it is made and never again.
import type { Output as Answer } from '@assay/client';
import { refuse } from '../../core/refusal.ts';
import { roles } from '../../core/roles.ts';
import { type Command, call, group, needed, option, paged, reason } from './command.ts';
import type { Output } from './output.ts';
import type { Session } from './session.ts';

type Shown = Answer<'enableUser'>;

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
    ['Second factor', u.secondFactor ? 'yes' : 'no'],
    ...(password === undefined ? [] : [['Password', password] as const]),
  ]);
}

const withPassword = {
  show: (out: Output, made: Answer<'createUser'>) => show(out, made.user, made.password),
  remark: 'Hand the password over: it is not shown again and must be changed at the next sign-in.',
};

/** Finds a person by id or e-mail. @throws NOT_FOUND, REF_AMBIGUOUS */
async function meant({ user, ...rest }: Record<string, unknown>, session: Session) {
  if (String(user).startsWith('usr_')) return { ...rest, userId: user };
  const { items } = await session.list('listUsers', { email: String(user) }, 2);
  const [found, another] = items;
  if (!found)
    throw refuse('NOT_FOUND', `nobody signs in with the e-mail ${String(user)}; 'assay user list' shows who does`);
  if (another) throw refuse('REF_AMBIGUOUS', 'the e-mail signs in to several accounts; name the person by usr_…');
  return { ...rest, userId: found.userId };
}

export function userCommands(program: Command): void {
  const user = group(program, 'user', 'people who sign in to the console');
  call(
    user,
    'create',
    'let a person sign in; the one-time password is printed this once',
    [
      needed('--email <address>', 'what the person signs in with'),
      needed('--name <name>', 'what the person is called'),
      needed('--role <role>', 'what the person may do').choices(roles),
      option('--account <accountId>', "a PSP's or an operator's account (psp_…); the staff's without it", 'accountId'),
    ],
    'createUser',
    withPassword,
  );
  call(
    user,
    'list',
    'people who may sign in, newest first',
    [option('--account <accountId>', 'only the staff of this account', 'accountId'), ...paged(50, 200, 'people')],
    'listUsers',
    {
      listed: true,
      show: (out, list) =>
        out.table(list.items, [
          { title: 'User', value: (u) => u.userId },
          { title: 'E-mail', value: (u) => u.email },
          { title: 'Name', value: (u) => u.name },
          { title: 'Account', value: (u) => u.accountId },
          { title: 'Role', value: (u) => u.role },
          { title: 'State', value: stateOf },
          { title: 'Second factor', value: (u) => (u.secondFactor ? 'yes' : 'no') },
          { title: 'Signed in', value: (u) => u.signedInAt },
          { title: 'Last seen from', value: (u) => u.seenNetwork },
        ]),
    },
  );
  type Change = 'disableUser' | 'enableUser' | 'setUserRole' | 'resetSecondFactor' | 'endUserSessions';
  const change = (words: string, description: string, id: Change) =>
    call(user, words, description, [reason()], id, { fields: meant, show });
  change('disable <user>', 'keep a person out; their sessions end within a second', 'disableUser');
  change('enable <user>', 'let a disabled or locked person sign in again', 'enableUser');
  change('role <user> <role>', "change a person's role", 'setUserRole');
  change(
    'reset-second-factor <user>',
    'remove the second factors of a person who lost theirs; their sessions end',
    'resetSecondFactor',
  );
  change('end-sessions <user>', 'end all sessions of a person, who may sign in again', 'endUserSessions');
  call(
    user,
    'reset-password <user>',
    'give a person a new one-time password; their sessions end',
    [reason()],
    'resetPassword',
    {
      fields: meant,
      ...withPassword,
    },
  );
}

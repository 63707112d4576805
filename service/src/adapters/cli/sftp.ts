// assay sftp: logins of the file drop for call detail records. A password is printed when it is made and never again.
import type { Item } from '@assay/client';
import { add, type Command, call, group, needed, option, reason } from './command.ts';
import type { Output } from './output.ts';
import { textOf } from './surroundings.ts';

type Shown = Item<'listSftpCredentials'>;

const show = (out: Output, login: Omit<Shown, 'password'>, more: readonly (readonly [string, unknown])[] = []) =>
  out.facts([
    ['Login', login.loginId],
    ['Account', login.clientId],
    ['Name', login.name],
    ['State', login.state],
    ['Username', login.username],
    ...login.publicKeys.map((k) => ['Key', k] as const),
    ...more,
  ]);

/** Replaces the name of the key file by the key. */
const withKey = (given: Record<string, unknown>, _: unknown, { around }: Output) => ({
  ...given,
  ...(given.publicKey === undefined ? {} : { publicKey: textOf(around, String(given.publicKey)) }),
});

export function sftpCommands(program: Command): void {
  const sftp = group(program, 'sftp', 'logins of the file drop for call detail records');
  call(
    sftp,
    'create <accountId>',
    'create a login; its password is printed this once',
    [
      needed('--name <name>', 'what it is for'),
      option('--key <file>', 'file of an OpenSSH public key; there is no password then', 'publicKey'),
      option('--password', 'have a password beside the key'),
    ],
    'createSftpCredentials',
    {
      as: 'accountId',
      fields: withKey,
      show: (out, made) => show(out, made, made.password === null ? [] : [['Password', made.password]]),
      remark: ({ password }) => (password === null ? undefined : 'Keep the password: it is not shown again.'),
    },
  );
  call(sftp, 'list <accountId>', 'logins of an account, newest first', [], 'listSftpCredentials', {
    as: 'accountId',
    listed: true,
    show: (out, { items }) =>
      out.table<Shown>(items, [
        { title: 'Login', value: (l) => l.loginId },
        { title: 'Username', value: (l) => l.username },
        { title: 'Name', value: (l) => l.name },
        { title: 'State', value: (l) => l.state },
        { title: 'Password', value: (l) => l.password },
        { title: 'Keys', value: (l) => l.publicKeys.length, right: true },
        { title: 'Created', value: (l) => l.createdAt },
        { title: 'Revoked', value: (l) => l.revokedAt },
      ]),
  });
  add(
    sftp,
    'folders <accountId>',
    'make and show the folders of an account, for an SFTP server of your own',
    [],
    async (out, _options, accountId) => (await import('./cdr-local.ts')).makeFolders(out, accountId as string),
  );
  call(
    sftp,
    'add-key <loginId>',
    'add a public key to a login',
    [needed('--key <file>', 'file of an OpenSSH public key', 'publicKey')],
    'addSftpKey',
    { as: 'loginId', fields: withKey, show },
  );
  call(
    sftp,
    'revoke <loginId>',
    'revoke a login; its open sessions are refused within seconds',
    [reason()],
    'revokeSftpCredentials',
    { as: 'loginId', show: (out, login) => out.line(`${login.loginId} revoked ${login.revokedAt}`) },
  );
}

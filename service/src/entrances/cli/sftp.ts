// assay sftp: logins of the file drop for call detail records. A password is printed when it is made and never again.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { accountFromWire, fromWire } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { findAnyAccount } from '../../modules/accounts/index.ts';
import {
  addKeyToLogin,
  createSftpLogin,
  Drops,
  listSftpLogins,
  loginResource,
  revokeSftpLogin,
} from '../../modules/telecom/index.ts';
import { add, group, needed, option } from './command.ts';
import { named, UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';
import { type Session, withSession } from './session.ts';

type Shown = ReturnType<typeof loginResource>;

/** Staff may reach the logins of every PSP. */
const everywhere = { psp: undefined };
const longestName = 100;

function keyIn({ around }: Output, file: string): string {
  try {
    return readFileSync(resolve(around.cwd, file), 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`);
  }
}

async function whose(session: Session, wireId: string): Promise<{ psp: string; account: string }> {
  const id = accountFromWire(wireId);
  const account = id && (await findAnyAccount(session.services.db, id));
  if (!account) throw notFound();
  return { psp: account.psp, account: account.id };
}

/** Says the option where the wire would name the field. */
async function asOption<T>(work: Promise<T>): Promise<T> {
  return work.catch((e) => {
    throw e instanceof Refusal ? named(e, { publicKey: '--key' }) : e;
  });
}

const show = (out: Output, login: Shown, more: readonly (readonly [string, unknown])[] = []) =>
  out.facts([
    ['Login', login.loginId],
    ['Account', login.clientId],
    ['Name', login.name],
    ['State', login.state],
    ['Username', login.username],
    ...login.publicKeys.map((k) => ['Key', k] as const),
    ...more,
  ]);

export function sftpCommands(program: Command): void {
  const sftp = group(program, 'sftp', 'logins of the file drop for call detail records');
  add<{ name: string; key?: string; password?: boolean }>(
    sftp,
    'create <accountId>',
    'create a login; its password is printed this once',
    [
      needed('--name <name>', 'what it is for'),
      option('--key <file>', 'file of an OpenSSH public key; there is no password then'),
      option('--password', 'have a password beside the key'),
    ],
    (out, { name, key, password }, accountId) => {
      const called = name.trim();
      if (called === '' || called.length > longestName)
        throw new UsageError(`--name must have 1 to ${longestName} characters`);
      const publicKey = key === undefined ? undefined : keyIn(out, key);
      return withSession(out, async (session) => {
        const { services, principal, now } = session;
        const made = await asOption(
          createSftpLogin(
            services,
            principal,
            await whose(session, accountId as string),
            { name: called, publicKey, password },
            now,
          ),
        );
        const shown = loginResource(made.login);
        out.result({ ...shown, password: made.password }, () =>
          show(out, shown, made.password === null ? [] : [['Password', made.password]]),
        );
        if (made.password !== null) out.remark('Keep the password: it is not shown again.');
      });
    },
  );
  add(sftp, 'list <accountId>', 'logins of an account, newest first', [], (out, _options, accountId) =>
    withSession(out, async (session) => {
      const found = await listSftpLogins(session.services.db, {
        ...(await whose(session, accountId as string)),
        limit: 200,
      });
      const items = found.map(loginResource);
      out.result({ items }, () =>
        out.table<Shown>(
          [
            { title: 'Login', value: (l) => l.loginId },
            { title: 'Username', value: (l) => l.username },
            { title: 'Name', value: (l) => l.name },
            { title: 'State', value: (l) => l.state },
            { title: 'Password', value: (l) => l.password },
            { title: 'Keys', value: (l) => l.publicKeys.length, right: true },
            { title: 'Created', value: (l) => l.createdAt },
            { title: 'Revoked', value: (l) => l.revokedAt },
          ],
          items,
        ),
      );
    }),
  );
  add(
    sftp,
    'folders <accountId>',
    'make and show the folders of an account, for an SFTP server of your own',
    [],
    (out, _options, accountId) =>
      withSession(out, async (session) => {
        const { account } = await whose(session, accountId as string);
        const root = join(session.services.settings.dataDir, 'cdr');
        await new Drops(root, () => session.services.ids.next()).of(account);
        const folders = { incoming: join(root, 'incoming', account), status: join(root, 'status', account) };
        out.result(folders, () =>
          out.facts([
            ['Incoming', folders.incoming],
            ['Status', folders.status],
          ]),
        );
      }),
  );
  add<{ key: string }>(
    sftp,
    'add-key <loginId>',
    'add a public key to a login',
    [needed('--key <file>', 'file of an OpenSSH public key')],
    (out, { key }, loginId) => {
      const publicKey = keyIn(out, key);
      return withSession(out, async ({ services, principal, now }) => {
        const id = fromWire('sftpLogin', loginId as string);
        const login = loginResource(await asOption(addKeyToLogin(services, principal, everywhere, id, publicKey, now)));
        out.result(login, () => show(out, login));
      });
    },
  );
  add<{ reason: string }>(
    sftp,
    'revoke <loginId>',
    'revoke a login; its open sessions are refused within seconds',
    [needed('--reason <text>', 'why; kept in the journal')],
    (out, { reason }, loginId) => {
      const why = reason.trim();
      if (why === '' || why.length > 400) throw new UsageError('--reason must have 1 to 400 characters');
      return withSession(out, async ({ services, principal, now }) => {
        const id = fromWire('sftpLogin', loginId as string);
        const login = loginResource(await revokeSftpLogin(services, principal, everywhere, id, why, now));
        out.result(login, () => out.line(`${login.loginId} revoked ${login.revokedAt}`));
      });
    },
  );
}

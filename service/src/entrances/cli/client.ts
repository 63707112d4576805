// assay client: the clients that PSPs registered.
import { type Command, Option } from 'commander';
import { accountFromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { classifications } from '../../core/standing.ts';
import { accountResource, findAccount, findAnyAccount } from '../../modules/accounts/index.ts';
import { updateClient } from '../../modules/accounts/operations/update-client.ts';
import {
  type ListOptions,
  listAccounts,
  listOptions,
  type ShownAccount,
  showAccount,
  showAccounts,
} from './account-list.ts';
import { add, group, option } from './command.ts';
import type { Output } from './output.ts';
import { type Session, withSession } from './session.ts';

/** An account with its standing now. @throws NOT_FOUND */
export async function readAccount(session: Session, wireId: string): Promise<ShownAccount> {
  const { services: s } = session;
  const id = accountFromWire(wireId);
  const account = id && (await findAnyAccount(s.db, id));
  const psp = account && (account.id === account.psp ? account : await findAccount(s.db, account.psp, account.psp));
  if (!account || !psp) throw notFound();
  return accountResource(s, account, psp, new Date(session.now).toISOString(), 'operator') as unknown as ShownAccount;
}

export const printAccount = (out: Output, account: ShownAccount): void =>
  out.result(account, () => showAccount(out, account));

interface Named {
  readonly email?: string;
  readonly classification?: string;
  readonly reason?: string;
  readonly name?: string;
  readonly phone?: string;
  readonly tin?: string;
}

export function clientCommands(program: Command): void {
  const client = group(program, 'client', 'clients of PSPs');
  add<ListOptions & { psp?: string }>(
    client,
    'list',
    'list clients, newest first',
    [option('--psp <pspId>', 'only of this PSP'), ...listOptions()],
    (out, { psp, ...options }) =>
      withSession(out, async (session) =>
        showAccounts(out, await listAccounts(session, options, { kind: 'client', pspId: psp }), 'client'),
      ),
  );
  add<Named>(
    client,
    'update <id>',
    "change a client's data; what is not given stays",
    [
      option('--name <name>', 'registered name'),
      option('--email <address>', 'e-mail address'),
      option('--phone <number>', 'telephone number'),
      new Option('--classification <name>', 'classification; taxes and fees follow it').choices([...classifications]),
      option('--tin <number>', 'tax identification number'),
      option('--reason <text>', 'why; kept in the journal'),
    ],
    (out, { name, phone, tin, ...rest }, id) =>
      withSession(out, async (session) => {
        const { content } = await session.ask(updateClient, {
          params: { clientId: id as string },
          body: { ...rest, registeredName: name, phoneNumber: phone, organizationTin: tin },
          options: { registeredName: '--name', phoneNumber: '--phone', organizationTin: '--tin' },
        });
        printAccount(out, content as ShownAccount);
      }),
  );
  add(client, 'show <id>', 'show a client or PSP with its standing and holds', [], (out, _options, id) =>
    withSession(out, async (session) => printAccount(out, await readAccount(session, id as string))),
  );
}

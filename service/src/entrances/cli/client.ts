// assay client: the clients that PSPs registered.
import type { Command } from 'commander';
import { classifications } from '../../core/standing.ts';
import { showAccount, showAccounts } from './account-view.ts';
import { call, type Field, group, option, paged } from './command.ts';

export function clientCommands(program: Command): void {
  const client = group(program, 'client', 'clients of PSPs');
  call(
    client,
    'list',
    'list clients, newest first',
    [option('--psp <pspId>', 'only of this PSP', 'pspId'), ...paged(1000, 1_000_000)],
    'listAccounts',
    {
      fields: (given) => ({ ...given, kind: 'client' }),
      listed: true,
      show: (out, page) => showAccounts(out, page.items, 'client'),
    },
  );
  call(
    client,
    'update <id>',
    "change a client's data; what is not given stays",
    [
      option('--name <name>', 'registered name', 'registeredName'),
      option('--email <address>', 'e-mail address'),
      option('--phone <number>', 'telephone number', 'phoneNumber'),
      option('--classification <name>', 'classification; taxes and fees follow it').choices([
        ...classifications,
      ]) as Field,
      option('--tin <number>', 'tax identification number', 'organizationTin'),
      option('--reason <text>', 'why; kept in the journal'),
    ],
    'updateClient',
    { fields: ({ id, ...rest }) => ({ ...rest, clientId: id }), show: showAccount },
  );
  showCommand(client, 'id', 'show a client or PSP with its standing and holds');
}

/** Adds a command that shows an account with its current standing. */
export const showCommand = (to: Command, argument: string, description: string): Command =>
  call(to, `show <${argument}>`, description, [], 'getClient', {
    as: 'clientId',
    fields: (given) => ({ clientId: given[argument] }),
    show: showAccount,
  });

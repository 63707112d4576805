// assay client: the clients that PSPs registered.
import { classifications } from '../../core/standing.ts';
import { taxNumberKinds, taxSchemes } from '../../core/tax/supplier.ts';
import { supplies } from '../../core/tax/supplies.ts';
import { showAccount, showAccounts } from './account-view.ts';
import { type Command, call, group, needed, option, paged } from './command.ts';

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
      option('--classification <name>', 'classification; taxes and fees follow it').choices(classifications),
      option('--tin <number>', 'tax identification number', 'organizationTin'),
      option('--reason <text>', 'why; kept in the journal'),
    ],
    'updateClient',
    { fields: ({ id, ...rest }) => ({ ...rest, clientId: id }), show: showAccount },
  );
  call(
    client,
    'tax <id>',
    'say from which day on a client owes tax on its sales in a country',
    [
      needed('--country <code>', 'country of the registration', 'countryCode'),
      needed('--from <date>', 'first day, YYYY-MM-DD', 'validFrom'),
      needed('--registered <yes|no>', 'whether it is registered for the tax').choices(['yes', 'no']),
      option('--scheme <name>', 'scheme of the tax; STANDARD if not given').choices(taxSchemes),
      option('--number <number>', 'its number at the tax authority', 'taxNumber'),
      option('--number-kind <kind>', 'kind of the number', 'taxNumberKind').choices(taxNumberKinds),
      option('--subdivision <code>', 'part of the country, ISO 3166-2'),
      option('--sells <kind>', 'what it sells where the merchant code does not say', 'supply').choices(supplies),
      option('--reason <text>', 'why; kept in the journal'),
    ],
    'setTaxProfile',
    {
      fields: ({ id, registered, ...rest }) => ({ ...rest, registered: registered === 'yes', clientId: id }),
      show: showAccount,
    },
  );
  showCommand(client, 'id', 'show a client or PSP with its standing, holds and tax profiles');
}

/** Adds a command that shows an account with its current standing. */
export const showCommand = (to: Command, argument: string, description: string): Command =>
  call(to, `show <${argument}>`, description, [], 'getClient', {
    as: 'clientId',
    fields: (given) => ({ clientId: given[argument] }),
    show: showAccount,
  });

// assay psp: PSPs and their first key.
import { showAccounts } from './account-view.ts';
import { type Command, call, group, needed, paged } from './command.ts';

export function pspCommands(program: Command): void {
  const psp = group(program, 'psp', 'PSPs');
  call(
    psp,
    'create',
    'create a PSP; its key and webhook secret are printed this once',
    [
      needed('--name <name>', 'name of the PSP'),
      needed('--country <code>', 'ISO 3166-1 code of its country: NG or NGA', 'countryCode'),
    ],
    'createPsp',
    {
      show: (out, made) =>
        out.facts([
          ['PSP', made.pspId],
          ['API key', made.apiKey],
          ['Secret', made.secret],
        ]),
      remark: 'Keep the key and the secret: they are not shown again.',
    },
  );
  call(psp, 'list', 'list PSPs, newest first', paged(1000, 1_000_000), 'listAccounts', {
    fields: (given) => ({ ...given, kind: 'psp' }),
    listed: true,
    show: (out, page) => showAccounts(out, page.items, 'PSP'),
  });
}

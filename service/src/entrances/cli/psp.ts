// assay psp: PSPs and their first key.
import type { Command } from 'commander';
import { createPsp } from '../../modules/accounts/operations/administration.ts';
import { type ListOptions, listAccounts, listOptions, showAccounts } from './account-list.ts';
import { add, group, needed } from './command.ts';
import { withSession } from './session.ts';

export function pspCommands(program: Command): void {
  const psp = group(program, 'psp', 'PSPs');
  add<{ name: string; country: string }>(
    psp,
    'create',
    'create a PSP; its key and webhook secret are printed this once',
    [
      needed('--name <name>', 'name of the PSP'),
      needed('--country <code>', 'ISO 3166-1 code of its country: NG or NGA'),
    ],
    (out, { name, country }) =>
      withSession(out, async (session) => {
        const { content } = await session.ask(createPsp, {
          body: { name, countryCode: country },
          options: { countryCode: '--country' },
        });
        const made = content as { pspId: string; apiKey: string; secret: string };
        out.result(made, () => {
          out.facts([
            ['PSP', made.pspId],
            ['API key', made.apiKey],
            ['Secret', made.secret],
          ]);
        });
        out.remark('Keep the key and the secret: they are not shown again.');
      }),
  );
  add<ListOptions>(psp, 'list', 'list PSPs, newest first', listOptions(), (out, options) =>
    withSession(out, async (session) =>
      showAccounts(out, await listAccounts(session, options, { kind: 'psp' }), 'PSP'),
    ),
  );
}

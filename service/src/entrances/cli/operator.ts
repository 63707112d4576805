// assay operator: staff accounts, whose keys open the admin operations.
import type { Command } from 'commander';
import { toWire } from '../../core/ids.ts';
import { createAccount } from '../../modules/accounts/index.ts';
import { add, group, needed } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { withSession } from './session.ts';

const longestName = 300;

export function operatorCommands(program: Command): void {
  const operator = group(program, 'operator', 'staff accounts for the admin API');
  add<{ name: string }>(
    operator,
    'create',
    'create an operator; its key is printed this once',
    [needed('--name <name>', 'whose or what it is')],
    async (out, { name }) => {
      const called = name.trim();
      if (called === '' || called.length > longestName)
        throw new UsageError(`--name must have 1 to ${longestName} characters`);
      await withSession(out, async ({ services: s, principal, now }) => {
        const id = s.ids.next();
        const made = await createAccount(s, principal, { psp: id, id, kind: 'operator', name: called }, now);
        // Operators stand alone in their tenant, as PSPs do, and share the form of their id.
        const shown = { operatorId: toWire('psp', id), name: called, apiKey: made.apiKey };
        out.result(shown, () =>
          out.facts([
            ['Operator', shown.operatorId],
            ['Name', shown.name],
            ['API key', shown.apiKey],
          ]),
        );
        out.remark('Keep the key: it is not shown again.');
      });
    },
  );
}

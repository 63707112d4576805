// assay erase: a person's data made unreadable for good; or, beforehand, what is kept of the person.
import type { Command } from 'commander';
import { eraseSubject, findSubject } from '../../modules/subjects/operations/erase-subject.ts';
import { add, needed, option } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { withSession } from './session.ts';

interface Options {
  readonly psp: string;
  readonly subject: readonly string[];
  readonly reason?: string;
  readonly dryRun?: boolean;
}

interface KeptItem {
  readonly kind: string;
  readonly readable: number;
  readonly erased: number;
}

const several = (value: string, before: readonly string[] = []): string[] => [...before, value];
const options = { pspId: '--psp', subjects: '--subject' };

export function eraseCommand(program: Command): void {
  add<Options>(
    program,
    'erase',
    "erase a person: destroy the keys of the person's data",
    [
      needed('--psp <pspId>', 'whose customer'),
      needed(
        '--subject <subject>',
        'email:…, phone:…, client:… or address:…; repeat it for all that the person is known by',
      ).argParser(several),
      option('--reason <text>', 'why; kept in the journal, so without personal data'),
      option('--dry-run', 'only say what is kept, by kind'),
    ],
    async (out, { psp, subject, reason, dryRun }) => {
      if (!dryRun && reason === undefined) throw new UsageError('--reason is required; --dry-run only looks');
      const body = { pspId: psp, subjects: subject };
      await withSession(out, async (session) => {
        if (dryRun) {
          const found = (await session.ask(findSubject, { body, options })).content as { items: readonly KeptItem[] };
          out.result(found, () =>
            out.table<KeptItem>(
              [
                { title: 'Kind', value: (i) => i.kind },
                { title: 'Readable', value: (i) => i.readable, right: true },
                { title: 'Erased', value: (i) => i.erased, right: true },
              ],
              found.items,
            ),
          );
          return;
        }
        const { content } = await session.ask(eraseSubject, { body: { ...body, reason }, options });
        const done = content as { erasureId: string | null; keys: number; rejectedLines: number };
        out.result(done, () =>
          done.erasureId === null
            ? out.line('There was nothing to erase.')
            : out.facts([
                ['Erasure', done.erasureId],
                ['Keys destroyed', done.keys],
                ['Rejected lines dropped', done.rejectedLines],
              ]),
        );
      });
    },
  );
}

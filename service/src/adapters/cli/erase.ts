// assay erase: makes a person's data unreadable forever, or shows beforehand what is stored about the person.
import { add, type Command, needed, option } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { withSession } from './session.ts';

interface Options {
  readonly psp: string;
  readonly subject: readonly string[];
  readonly reason?: string;
  readonly dryRun?: boolean;
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
      option('--dry-run', 'only say what is kept, by kind, and what an erasure would be refused for'),
    ],
    async (out, { psp, subject, reason, dryRun }) => {
      if (!dryRun && reason === undefined) throw new UsageError('--reason is required; --dry-run only looks');
      const who = { pspId: psp, subjects: subject };
      await withSession(out, async (session) => {
        if (dryRun) {
          const found = await session.ask('findSubject', who, { options });
          const { heldBy } = found;
          out.result(found, () => {
            out.table(found.items, [
              { title: 'Kind', value: (i) => i.kind },
              { title: 'Readable', value: (i) => i.readable, right: true },
              { title: 'Erased', value: (i) => i.erased, right: true },
            ]);
            if (heldBy?.kind === 'UNREAD')
              out.line(
                'An erasure would be refused: not all is looked through for alerts yet. Look again in a minute.',
              );
            else if (heldBy)
              out.line(
                `An erasure would be refused: ${heldBy.id} ${heldBy.until === null ? 'is open' : `keeps the data until ${heldBy.until}`}. Do not tell the person of it.`,
              );
          });
          return;
        }
        const done = await session.ask('eraseSubject', { ...who, reason }, { options });
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

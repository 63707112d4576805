// assay totals: rebuilds daily totals from the journal, and compares the stored ones with it.
import { fromWire, toWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { dayOfCountry, rebuildTotals, type TotalsDifference, verifyTotals } from '../../modules/totals/index.ts';
import type { Database } from '../../platform/database.ts';
import { pspsWithJournal } from '../../platform/journal-cursor.ts';
import { add, type Command, group, option } from './command.ts';
import { Unsound } from './exit-codes.ts';
import { withApp } from './local.ts';
import type { Output } from './output.ts';

const shownDifferences = 20;

/** @throws NOT_FOUND */
async function pspsOf(db: Database, psp: string | undefined): Promise<string[]> {
  const all = await pspsWithJournal(db);
  if (psp === undefined) return all;
  const id = all.find((one) => one === fromWire('psp', psp));
  if (!id) throw notFound();
  return [id];
}

/** Prints how many entries are left, every 100,000 entries. */
function progressOf(out: Output, psp: string): (left: number) => void {
  let shown = Number.POSITIVE_INFINITY;
  return (left) => {
    if (shown - left < 100_000) return;
    if (shown !== Number.POSITIVE_INFINITY) out.remark(`${psp}: ${left} entries to go`);
    shown = left;
  };
}

const pspOption = () => option('--psp <pspId>', 'only of this PSP; of all without it');

export function totalsCommands(program: Command): void {
  const totals = group(program, 'totals', 'daily totals of transactions, wagers and payouts');
  add<{ psp?: string }>(
    totals,
    'rebuild',
    'make the totals anew from the journal; the service may go on meanwhile',
    [pspOption()],
    (out, { psp }) =>
      withApp(out, async ({ services: s }) => {
        const items: { pspId: string; entries: number }[] = [];
        for (const id of await pspsOf(s.db, psp)) {
          const pspId = toWire('psp', id);
          items.push({ pspId, entries: await rebuildTotals(s.db, id, dayOfCountry(s), progressOf(out, pspId)) });
        }
        out.result({ items }, () =>
          out.table(items, [
            { title: 'PSP', value: (i) => i.pspId },
            { title: 'Entries', value: (i) => i.entries, right: true },
          ]),
        );
      }),
  );
  add<{ psp?: string }>(
    totals,
    'verify',
    'compare the totals with the journal, as far as they have come; exit code 1 where they differ',
    [pspOption()],
    (out, { psp }) =>
      withApp(out, async ({ services: s }) => {
        const items: {
          pspId: string;
          entries: number;
          cells: number;
          differing: number;
          differences: readonly TotalsDifference[];
        }[] = [];
        for (const id of await pspsOf(s.db, psp)) {
          const pspId = toWire('psp', id);
          const { entries, cells, differences } = await verifyTotals(s.db, id, dayOfCountry(s), progressOf(out, pspId));
          items.push({
            pspId,
            entries,
            cells,
            differing: differences.length,
            differences: differences.slice(0, shownDifferences),
          });
        }
        out.result({ items }, () => {
          out.table(items, [
            { title: 'PSP', value: (i) => i.pspId },
            { title: 'Entries', value: (i) => i.entries, right: true },
            { title: 'Cells', value: (i) => i.cells, right: true },
            { title: 'Differing', value: (i) => i.differing, right: true },
          ]);
          for (const d of items.flatMap((i) => i.differences))
            out.line(`${d.cell}: kept ${d.kept ?? 'nothing'}, by the journal ${d.recounted ?? 'nothing'}`);
        });
        const differing = items.reduce((n, i) => n + i.differing, 0);
        if (differing > 0)
          throw new Unsound(`${differing} cells differ from the journal; 'assay totals rebuild' makes them anew`);
      }),
  );
}

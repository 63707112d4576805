// assay tax load and assay fee: rates changed at run time, in force within a second wherever the service runs.
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { refuse } from '../../core/refusal.ts';
import { endFee, listFees, setFee } from '../../modules/rates/operations/administer-rates.ts';
import { add, calendarDate, group, needed, option } from './command.ts';
import { withSession } from './session.ts';

interface FeeRow {
  readonly feeId: string;
  readonly pspId: string | null;
  readonly operations: readonly string[];
  readonly countries: readonly string[];
  readonly percent: string;
  readonly fixed?: string;
  readonly currency?: string;
  readonly min?: string;
  readonly max?: string;
  readonly validFrom: string;
  readonly validTo: string | null;
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((t) => t.trim())
    .filter(Boolean);

/** @param tax the group `assay tax` */
export function taxLoadCommand(tax: Command): void {
  add<{ reason: string }>(
    tax,
    'load <files...>',
    'supersede the rules of countries by country files; all of them or none',
    [needed('--reason <text>', 'why; kept in the journal')],
    (out, { reason }, ...paths) =>
      withSession(out, async ({ services, principal, now }) => {
        const texts = paths.flat().map((path) => {
          try {
            return { name: basename(path), text: readFileSync(resolve(out.around.cwd, path), 'utf8') };
          } catch (e) {
            throw refuse('RATES_INVALID', `${path} could not be read: ${(e as Error).message}`);
          }
        });
        const dataset = await services.rateKeeper.loadTax(services, principal, texts, reason, now);
        const done = { dataset, files: texts.map((t) => t.name) };
        out.result(done, () => out.line(`${done.files.join(', ')} in force; the dataset is now ${dataset}`));
      }),
  );
}

export function feeCommands(program: Command): void {
  const fee = group(program, 'fee', 'the fee schedule');
  add(fee, 'list', 'fee rows in force', [], (out) =>
    withSession(out, async (session) => {
      const { content } = await session.ask(listFees, {});
      const { items } = content as { items: readonly FeeRow[] };
      out.result({ items }, () =>
        out.table<FeeRow>(
          [
            { title: 'Fee', value: (f) => f.feeId },
            { title: 'PSP', value: (f) => f.pspId ?? 'every' },
            { title: 'Operations', value: (f) => f.operations.join(' ') || 'all' },
            { title: 'Countries', value: (f) => f.countries.join(' ') || 'all' },
            { title: 'Percent', value: (f) => f.percent },
            { title: 'Fixed', value: (f) => (f.fixed ? `${f.fixed} ${f.currency}` : '') },
            { title: 'From', value: (f) => f.validFrom },
            { title: 'To', value: (f) => f.validTo },
          ],
          items,
        ),
      );
    }),
  );
  add<Record<string, string | undefined> & { feeId: string; percent: string; from: string; reason: string }>(
    fee,
    'set',
    'add a fee row; the narrowest row that fits a call wins',
    [
      needed('--fee-id <id>', 'its name, never used again: EXAMPLE-PAY-ZERO-2026'),
      option('--psp <pspId>', 'only for this PSP'),
      option('--operations <names>', 'wire operations, separated by commas; all without it'),
      option('--classifications <names>', 'client classifications, separated by commas'),
      option('--countries <codes>', 'countries, separated by commas'),
      option('--currency <code>', 'only in this currency; needed with --fixed, --min, --max'),
      needed('--percent <number>', 'percent of the amount: 0.75'),
      option('--fixed <amount>', 'added to the percentage'),
      option('--min <amount>', 'least fee'),
      option('--max <amount>', 'most fee'),
      needed('--from <date>', 'first day').argParser(calendarDate),
      option('--to <date>', 'first day no longer').argParser(calendarDate),
      needed('--reason <text>', 'why; kept in the journal'),
    ],
    (out, o) =>
      withSession(out, async (session) => {
        const { content } = await session.ask(setFee, {
          body: {
            feeId: o.feeId,
            pspId: o.psp,
            operations: o.operations && list(o.operations),
            classifications: o.classifications && list(o.classifications),
            countries: o.countries && list(o.countries),
            currency: o.currency,
            percent: o.percent,
            fixed: o.fixed,
            min: o.min,
            max: o.max,
            validFrom: o.from,
            validTo: o.to,
            reason: o.reason,
          },
          options: { feeId: '--fee-id', pspId: '--psp', validFrom: '--from', validTo: '--to' },
        });
        const done = content as { feeId: string };
        out.result(done, () => out.line(`${done.feeId} is in force`));
      }),
  );
  add<{ reason: string }>(
    fee,
    'end <feeId>',
    'end a fee row; it stays as evidence',
    [needed('--reason <text>', 'why; kept in the journal')],
    (out, { reason }, feeId) =>
      withSession(out, async (session) => {
        const { content } = await session.ask(endFee, { params: { feeId: feeId as string }, body: { reason } });
        const done = content as { feeId: string };
        out.result(done, () => out.line(`${done.feeId} ended`));
      }),
  );
}

// assay tax load, assay fee and assay asset: change rates and add crypto assets at run time. Every process of the service uses them within a second.
import { basename } from 'node:path';
import type { Command } from 'commander';
import { parseExactly } from '../../core/entry.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { add, calendarDate, call, group, needed, option, reason, wholeNumber } from './command.ts';
import { withSession } from './session.ts';
import { type CommandEnvironment, textOf } from './surroundings.ts';

const list = (text: string): string[] =>
  text
    .split(',')
    .map((t) => t.trim())
    .filter(Boolean);

/** Reads a country file with its numbers as written. @throws UsageError, RATES_INVALID */
function countryFile(around: CommandEnvironment, path: string): { readonly name: string; readonly file: unknown } {
  const text = textOf(around, path);
  const name = basename(path);
  try {
    return { name, file: parseExactly(text) };
  } catch (e) {
    throw refuse('RATES_INVALID', `${name}: is not a country file: ${(e as Error).message}`);
  }
}

/** @param tax the group `assay tax` */
export function taxLoadCommand(tax: Command): void {
  add<{ reason: string }>(
    tax,
    'load <files...>',
    'supersede the rules of countries by country files; all of them or none',
    [reason()],
    (out, o, ...paths) => {
      const [country, ...further] = paths.flat().map((path) => countryFile(out.around, path));
      const names = [country, ...further].map((f) => f?.name);
      const body = {
        reason: o.reason,
        country: country?.file,
        ...(further.length > 0 ? { further: further.map((f) => f.file) } : {}),
      };
      // The service numbers the files; the person needs their names.
      const place = /\b(?:country|further\[(\d+)\])(?=: )/g;
      const byName = (_: string, n?: string) => names[n === undefined ? 0 : Number(n) + 1] ?? '';
      return withSession(out, async (session) => {
        const { dataset } = await session.ask('loadTax', body).catch((e: unknown) => {
          throw e instanceof Refusal ? refuse(e.code, e.message.replace(place, byName)) : e;
        });
        const done = { dataset, files: names };
        out.result(done, () => out.line(`${names.join(', ')} in force; the dataset is now ${dataset}`));
      });
    },
  );
}

export function feeCommands(program: Command): void {
  const fee = group(program, 'fee', 'the fee schedule');
  call(fee, 'list', 'fee rows in force', [], 'listFees', {
    show: (out, { items }) =>
      out.table(items, [
        { title: 'Fee', value: (f) => f.feeId },
        { title: 'PSP', value: (f) => f.pspId ?? 'every' },
        { title: 'Operations', value: (f) => f.operations.join(' ') || 'all' },
        { title: 'Countries', value: (f) => f.countries.join(' ') || 'all' },
        { title: 'Percent', value: (f) => f.percent },
        { title: 'Fixed', value: (f) => (f.fixed ? `${f.fixed} ${f.currency}` : '') },
        { title: 'From', value: (f) => f.validFrom },
        { title: 'To', value: (f) => f.validTo },
      ]),
  });
  call(
    fee,
    'set',
    'add a fee row; the narrowest row that fits a call wins',
    [
      needed('--fee-id <id>', 'its name, never used again: EXAMPLE-PAY-ZERO-2026'),
      option('--psp <pspId>', 'only for this PSP', 'pspId'),
      option('--operations <names>', 'wire operations, separated by commas; all without it').argParser(list),
      option('--classifications <names>', 'client classifications, separated by commas').argParser(list),
      option('--countries <codes>', 'countries, separated by commas').argParser(list),
      option('--currency <code>', 'only in this currency; needed with --fixed, --min, --max'),
      needed('--percent <number>', 'percent of the amount: 0.75'),
      option('--fixed <amount>', 'added to the percentage'),
      option('--min <amount>', 'least fee'),
      option('--max <amount>', 'most fee'),
      needed('--from <date>', 'first day', 'validFrom').argParser(calendarDate),
      option('--to <date>', 'first day no longer', 'validTo').argParser(calendarDate),
      reason(),
    ],
    'setFee',
    { show: (out, done) => out.line(`${done.feeId} is in force`) },
  );
  call(fee, 'end <feeId>', 'end a fee row; it stays as evidence', [reason()], 'endFee', {
    show: (out, done) => out.line(`${done.feeId} ended`),
  });
}

export function assetCommands(program: Command): void {
  const asset = group(program, 'asset', 'crypto assets that amounts may be in');
  call(asset, 'list [symbol]', 'the assets, one line for each network', [], 'listAssets', {
    show: (out, { items }) =>
      out.table(items, [
        { title: 'Asset', value: (a) => a.symbol },
        { title: 'Network', value: (a) => a.network },
        { title: 'Decimals', value: (a) => String(a.decimals) },
        { title: 'Name', value: (a) => a.name },
        { title: 'Origin', value: (a) => a.origin },
        { title: 'Checked', value: (a) => (a.checked ? 'yes' : 'no') },
      ]),
  });
  call(
    asset,
    'add <symbol>',
    'add an asset, or a network of one; its decimals may only grow',
    [
      needed('--network <name>', 'the network that it is on: ETHEREUM'),
      needed('--decimals <number>', 'decimals of its amounts there').argParser(wholeNumber(0, 24)),
      needed('--name <name>', 'its name'),
      reason(),
    ],
    'addAsset',
    { show: (out, a) => out.line(`${a.symbol} on ${a.network} with ${a.decimals} decimals`) },
  );
}

// assay tax: checks the tax rules that ship as data, lists their changes and explains what they make of an amount. Only `load`, `correct`
// and `check --live` use a database; the others do not know rates that staff changed at run time (POST /v1/tax/quote
// does).
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { isoTime } from '../../core/calendar.ts';
import { classifications } from '../../core/standing.ts';
import { supplies } from '../../core/tax/supplies.ts';
import { systemClock } from '../../platform/clock.ts';
import { add, calendarDate, group, needed, option, wholeNumber } from './command.ts';
import { Unsound } from './exit-codes.ts';
import { taxLoadCommand } from './rates.ts';
import { type ChangesOptions, changesShipped, showChanges } from './tax-changes.ts';
import { checkTaxFiles, showCheck } from './tax-check.ts';
import { taxCorrectCommand } from './tax-correct.ts';
import { type ExplainOptions, explain, explained } from './tax-explain.ts';
import { showExplained } from './tax-explain-view.ts';

export function taxCommands(program: Command): void {
  const tax = group(program, 'tax', 'tax rules; check, changes and explain need no database, unless asked --live');
  taxLoadCommand(tax);
  taxCorrectCommand(tax);
  add<{ date?: string; folder?: string; live?: boolean }>(
    tax,
    'check',
    'check every country: problems, confidence, sources, what ends or grows old',
    [
      option('--date <date>', 'the day to check for; today without it').argParser(calendarDate),
      option('--folder <folder>', 'country files elsewhere, before they are put in place'),
      option('--live', 'the rules in force in the database instead of the files that ship').conflicts('folder'),
    ],
    async (out, { date = isoTime(systemClock()).slice(0, 10), folder, live }) => {
      const found = live
        ? await (await import('./tax-live.ts')).checkLive(out, date)
        : checkTaxFiles(date, folder === undefined ? undefined : resolve(out.around.cwd, folder));
      out.result(found, () => showCheck(out, found));
      if (found.problems.length > 0)
        throw new Unsound(`${found.problems.length} problems in the ${live ? 'rules in force' : 'tax files'}`);
    },
  );
  add<ChangesOptions>(
    tax,
    'changes',
    'what changes when: rules that start, replace others, end or expire, past and to come',
    [
      needed('--since <date>', 'the first day; the rules begin on 2024-01-01').argParser(calendarDate),
      option('--until <date>', 'the last day; without it all changes to come').argParser(calendarDate),
      option('--country <code>', 'ISO 3166-1 code: NG or NGA; all countries without it'),
    ],
    (out, options) => {
      const found = changesShipped(options);
      out.result(found, () => showChanges(out, found));
    },
  );
  add<ExplainOptions>(
    tax,
    'explain',
    'the split of an amount, with each rule, its rate and its source',
    [
      needed('--country <code>', 'ISO 3166-1 code: NG or NGA'),
      new Option('--operation <name>', 'wire operation').choices(explained).makeOptionMandatory(),
      needed('--amount <amount>', 'gross amount: 107.50; of recordCDR the cost before tax'),
      option('--fee <amount>', "the PSP's transactionFee").default('0'),
      option('--currency <code>', "currency or asset; the country's own without it"),
      option('--mcc <code>', 'merchant category code'),
      new Option('--sells <kind>', 'what is sold, where the merchant code does not say').choices(supplies),
      option('--subdivision <code>', 'of a sale, wager or payout: the part of the country, ISO 3166-2'),
      option('--business-abroad', 'of a sale: the customer is a business in another country'),
      option('--not-registered', 'of a sale: the client is not registered for the tax'),
      new Option('--classification <name>', "the client's; without it a PSP's own account").choices(classifications),
      option('--product-line <name>', 'of a wager: sports, casino …'),
      option('--stake <amount>', 'of capturePayout: the wager the payout answers'),
      option('--call-type <word>', 'of recordCDR: VOICE, SMS, DATA …; VOICE without it'),
      option('--duration <seconds>', 'of recordCDR').argParser(wholeNumber(0, 2_147_483_647)),
      option('--data-kb <kilobytes>', 'of recordCDR: the volume of a data session'),
      option('--origin <code>', 'of recordCDR: it comes in from this country, or from abroad: unknown'),
      option('--date <date>', "the country's local date; today without it").argParser(calendarDate),
    ],
    (out, options) => {
      const answer = explain(options, systemClock());
      out.result(answer, () => showExplained(out, answer));
    },
  );
}

// assay tax: checks the tax rules that ship as data, lists their changes and explains what they make of an amount. Only `load`, `correct`
// and `check --live` use a database; the others do not know rates that staff changed at run time (POST /v1/tax/quote
// does).
import { isoTime } from '../../core/calendar.ts';
import { systemClock } from '../../platform/clock.ts';
import { add, type Command, calendarDate, group, needed, option } from './command.ts';
import { Unsound } from './exit-codes.ts';
import { taxLoadCommand } from './rates.ts';
import { pathOf } from './surroundings.ts';
import { type ChangesOptions, changesShipped, showChanges } from './tax-changes.ts';
import { checkTaxFiles, showCheck } from './tax-check.ts';
import { taxCorrectCommand } from './tax-correct.ts';
import { type ExplainOptions, explainOptions } from './tax-explain-options.ts';

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
        : checkTaxFiles(date, folder === undefined ? undefined : pathOf(out.around, folder));
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
    explainOptions(),
    async (out, options) => {
      const [{ explain }, { showExplained }] = await Promise.all([
        import('./tax-explain.ts'),
        import('./tax-explain-view.ts'),
      ]);
      const answer = explain(options, systemClock());
      out.result(answer, () => showExplained(out, answer));
    },
  );
}

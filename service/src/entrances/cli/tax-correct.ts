// assay tax correct: adjusting entries where a rule was wrong, portion after portion until all days were looked at.
import type { Command } from 'commander';
import { correctRates } from '../../modules/corrections/operations/correct-rates.ts';
import { add, calendarDate, needed, option } from './command.ts';
import { withSession } from './session.ts';

interface Options {
  readonly client: string;
  readonly country: string;
  readonly from: string;
  readonly to: string;
  readonly rule?: string;
  readonly reason: string;
  readonly proposal?: string;
}

interface Portion {
  readonly dataset: string;
  readonly looked: number;
  readonly adjusted: number;
  readonly left: number;
  readonly next: string | null;
}

/** Portions between two remarks on how far it is. */
const told = 40;

export function taxCorrectCommand(tax: Command): void {
  add<Options>(
    tax,
    'correct',
    'make adjusting entries where a rule was wrong; interrupted, it is simply run again',
    [
      needed('--client <accountId>', 'the client concerned, or a PSP: then with all its clients'),
      needed('--country <code>', 'the country taxed in'),
      needed('--from <date>', 'first local day').argParser(calendarDate),
      needed('--to <date>', 'last local day').argParser(calendarDate),
      option('--rule <ruleId>', 'only what was taxed by this rule'),
      needed('--reason <text>', 'why; kept in the journal'),
      option('--proposal <proposalId>', 'its approved proposal, where REQUIRE_TWO_PERSONS asks for one'),
    ],
    (out, { client, country, proposal, ...o }) =>
      withSession(out, async (session) => {
        const sum = { dataset: '', looked: 0, adjusted: 0, left: 0 };
        let after: string | undefined;
        for (let n = 1; ; n++) {
          const body = { clientId: client, countryCode: country, ...o, proposalId: proposal, after };
          const options = { clientId: '--client', countryCode: '--country', proposalId: '--proposal' };
          const { content } = await session.ask(correctRates, { body, options });
          const portion = content as Portion;
          sum.dataset = portion.dataset;
          sum.looked += portion.looked;
          sum.adjusted += portion.adjusted;
          sum.left += portion.left;
          if (portion.next === null) break;
          if (n % told === 0) out.remark(`${sum.looked} transactions looked at, ${sum.adjusted} adjusted`);
          after = portion.next;
        }
        out.result(sum, () =>
          out.facts([
            ['Rules', sum.dataset],
            ['Looked at', sum.looked],
            ['Adjusted', sum.adjusted],
            ['Without an answer', sum.left],
          ]),
        );
      }),
  );
}

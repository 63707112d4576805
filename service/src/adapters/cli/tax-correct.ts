// assay tax correct: makes adjusting entries where a rule was wrong. It asks the service for some hundred transactions at a time
// until all days are checked, so that it can be ended and started again.
import { add, type Command, calendarDate, needed, option, reason } from './command.ts';
import { withSession } from './session.ts';

/** Requests between two lines of progress. */
const reportedEach = 40;
const options = { clientId: '--client', countryCode: '--country', proposalId: '--proposal' };

export function taxCorrectCommand(tax: Command): void {
  add<Record<'client' | 'country' | 'from' | 'to' | 'reason', string> & { rule?: string; proposal?: string }>(
    tax,
    'correct',
    'make adjusting entries where a rule was wrong; interrupted, it is simply run again',
    [
      needed('--client <accountId>', 'the client concerned, or a PSP: then with all its clients'),
      needed('--country <code>', 'the country taxed in'),
      needed('--from <date>', 'first local day').argParser(calendarDate),
      needed('--to <date>', 'last local day').argParser(calendarDate),
      option('--rule <ruleId>', 'only what was taxed by this rule'),
      reason(),
      option('--proposal <proposalId>', 'its approved proposal, where REQUIRE_TWO_PERSONS asks for one'),
    ],
    (out, { client, country, proposal, ...o }) =>
      withSession(out, async (session) => {
        const sum = { dataset: '', looked: 0, adjusted: 0, left: 0 };
        let after: string | undefined;
        for (let n = 1; ; n++) {
          const body = { clientId: client, countryCode: country, ...o, proposalId: proposal, after };
          const portion = await session.ask('correctRates', body, { options });
          sum.dataset = portion.dataset;
          sum.looked += portion.looked;
          sum.adjusted += portion.adjusted;
          sum.left += portion.left;
          if (portion.next === null) break;
          if (n % reportedEach === 0) out.remark(`${sum.looked} transactions looked at, ${sum.adjusted} adjusted`);
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

// assay risk: lists the rules of the risk book, checks and proposes the next version of one, and shows what it would have
// matched. Putting a rule in force is left to the approval of another person.
import { parseExactly } from '../../core/entry.ts';
import { refuse } from '../../core/refusal.ts';
import { add, type Command, calendarDate, call, group, option, reason } from './command.ts';
import { Unsound } from './exit-codes.ts';
import { withSession } from './session.ts';
import { type CommandEnvironment, textOf } from './surroundings.ts';

/** A rule with its numbers as written. @throws UsageError, RISK_RULE_INVALID */
function ruleFile(around: CommandEnvironment, path: string): unknown {
  const text = textOf(around, path);
  try {
    return parseExactly(text);
  } catch (e) {
    throw refuse('RISK_RULE_INVALID', `${path} is no file with a rule as JSON: ${(e as Error).message}`);
  }
}

const day = (flags: string, description: string) => option(flags, description).argParser(calendarDate);

export function riskCommands(program: Command): void {
  const risk = group(program, 'risk', 'the risk book: rules that look at what was recorded');
  call(risk, 'list', 'rules in force', [option('--id <id>', 'every version of this rule')], 'listRiskRules', {
    show: (out, { items }) =>
      out.table(items, [
        { title: 'Rule', value: (r) => r.id },
        { title: 'Version', value: (r) => r.version, right: true },
        { title: 'Severity', value: (r) => r.severity },
        { title: 'Action', value: (r) => r.action },
        { title: 'Origin', value: (r) => r.origin },
        { title: 'Matches in 30 days', value: (r) => r.matches, right: true },
      ]),
  });
  add(risk, 'check <file>', 'say what is wrong with a rule; records nothing', [], async (out, _, path) => {
    const rule = ruleFile(out.around, path as string);
    const { problems } = await withSession(out, (session) => session.ask('checkRiskRule', { rule }));
    out.result({ problems }, () => {
      for (const p of problems) out.line(p);
      if (problems.length === 0) out.line('the rule can be proposed');
    });
    if (problems.length > 0) throw new Unsound(`${problems.length} of its parts are wrong`);
  });
  add<{ reason: string }>(
    risk,
    'propose <file>',
    'propose the next version of a rule; another person approves it',
    [reason()],
    async (out, o, path) => {
      const body = { reason: o.reason, risk: ruleFile(out.around, path as string) };
      const proposal = await withSession(out, (session) => session.ask('openProposal', body));
      out.result(proposal, () => out.line(`${proposal.subject} proposed: ${proposal.proposalId}`));
    },
  );
  call(
    risk,
    'replay <proposalId>',
    'what a proposed rule would have matched in a past period',
    [
      day('--from <date>', 'first day in UTC; 30 days up to the last without it'),
      day('--to <date>', 'last day; today without it'),
    ],
    'riskReplay',
    {
      show(out, r) {
        const lines = (change: string, of: typeof r.newlyMatched) =>
          of.lines.map((l) => ({ change, currency: l.currency, records: l.records, amount: String(l.amount) }));
        out.table(
          [
            ...lines('newly matched', r.newlyMatched),
            ...lines('no longer matched', r.noLongerMatched),
            ...lines('still matched', r.stillMatched),
          ],
          [
            { title: 'Change', value: (l) => l.change },
            { title: 'Currency', value: (l) => l.currency },
            { title: 'Records', value: (l) => l.records, right: true },
            { title: 'Amount', value: (l) => l.amount, right: true },
          ],
        );
        out.line(`${r.looked} records looked at${r.complete ? '' : ', not all of the period'}; hash ${r.hash}`);
      },
    },
  );
}

import { wireNumber } from '../../../core/money.ts';
import { notFound } from '../../../core/refusal.ts';
import { differenceOf, wireSum } from '../../../core/sums.ts';
import { Money, Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { effectOf, mostRead } from '../effect.ts';
import { asked } from '../proposal-fields.ts';
import { findProposal } from '../proposal-store.ts';

const taxes = {
  taxNow: Money('Tax by the rules in force.'),
  taxProposed: Money('Tax by the proposed rules.'),
  difference: Money('The second less the first.'),
};

const shownTaxes = (of: { readonly taxNow: string; readonly taxProposed: string; readonly difference: string }) => ({
  taxNow: wireSum(of.taxNow),
  taxProposed: wireSum(of.taxProposed),
  difference: wireSum(of.difference),
});

export const proposalEffect = operation({
  id: 'proposalEffect',
  method: 'GET',
  path: '/v1/admin/proposal/:proposalId/effect',
  tag: 'Proposals',
  summary: 'Effect of a proposal of tax rules on the records of last month',
  description: `Taxes the records of the country's last full calendar month again, by the rules in force and by the proposed ones as if these had been in force from its first day; nothing is recorded. Approved transactions that were not charged back, wagers and payouts of all PSPs but test ones, at most ${mostRead} of them: where there are more, \`sampled\` is true, the first ones of each day were read in proportion, and the figures are those of the records read.`,
  audience: ['operator'],
  content: Named('ProposalEffect', "Last month's records by the rules in force and by proposed ones.", {
    proposalId: Type.String(),
    countryCode: Type.String(),
    from: Type.String({ description: 'First day of the month, in the calendar of the country.' }),
    to: Type.String({ description: 'Last day of the month.' }),
    begins: Nullable(
      Type.String(),
      'First day of the change, for which the first day of the month was taken; null if it holds for days of the past too. Later steps of the change are left out.',
    ),
    dataset: Type.String({ description: 'Version of the rules in force.' }),
    records: Type.Integer({ description: 'Records of the month whose operation the change is about.' }),
    looked: Type.Integer({ description: 'Records that were taxed again.' }),
    sampled: Type.Boolean({ description: 'Whether these are not all; the figures are those of the ones read.' }),
    changed: Type.Integer({ description: 'Records whose taxes differ.' }),
    correctable: Type.Integer({
      description:
        'Records whose taxes are not those of the rules in force, so that correctRates would adjust them now.',
    }),
    left: Type.Integer({ description: 'Transactions that the proposed rules do not cover; not among the figures.' }),
    notLookedAt: Type.Array(Type.String(), {
      description:
        'Operations that the change is about and whose records are not taxed again here: call detail records.',
    }),
    lines: Type.Array(
      Named('ProposalEffectLine', 'The records of an operation in a currency.', {
        countryCode: Type.String(),
        operation: Type.String({ description: 'The operation that made the records.' }),
        currency: Type.String(),
        records: Type.Integer({ description: 'Number of records read.' }),
        changed: Type.Integer({ description: 'Number of records whose taxes differ.' }),
        ...taxes,
      }),
      { description: 'Taxes within records, by operation and currency.' },
    ),
    duties: Type.Array(
      Named('ProposalEffectDuty', 'Duties by periodic return in a currency.', { currency: Type.String(), ...taxes }),
      {
        description: 'Duties by periodic return on wagers and payouts, each client, rule and product line by itself.',
      },
    ),
    examples: Type.Array(
      Named('ProposalEffectExample', 'A record whose taxes differ.', {
        recordId: Type.String({ description: 'Id of the transaction, wager or payout.' }),
        operation: Type.String({ description: 'The operation that made the record.' }),
        pspId: Type.String(),
        clientId: Type.String(),
        date: Type.String({ description: 'Local day that decided the taxes.' }),
        currency: Type.String(),
        amount: Money('Gross amount.'),
        ...taxes,
      }),
      { description: 'At most ten, those that differ most of each operation and currency in turn.' },
    ),
  }),
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'db' | 'reference' | 'rates'>) {
    const p = await findProposal(s.db, asked(call));
    if (!p) throw notFound();
    const { lines, duties, examples, ...effect } = await effectOf(s, p, call.now);
    return {
      message: effect.sampled
        ? `the effect on ${effect.looked} of ${effect.records} records`
        : 'the effect on all records',
      content: {
        ...effect,
        lines: lines.map(({ operation, currency, records, changed, ...of }) => ({
          countryCode: effect.countryCode,
          operation,
          currency,
          records,
          changed,
          ...shownTaxes(of),
        })),
        duties: duties.map((d) => ({ currency: d.currency, ...shownTaxes(d) })),
        examples: examples.map((e) => ({
          recordId: e.id,
          operation: e.operation,
          pspId: e.pspId,
          clientId: e.account,
          date: e.date,
          currency: e.currency,
          amount: wireNumber(e.amount),
          ...shownTaxes({ taxNow: e.now, taxProposed: e.proposed, difference: differenceOf(e.proposed, e.now) }),
        })),
      },
    };
  },
});

// Wagers and payouts: the resources as returned and journalled, and their entries.
import { entry } from './define.ts';
import { Money, Named, Type } from './schema.ts';
import { Evidence, Observations } from './transactions.ts';

const GamingTax = Named('GamingTax', 'A tax on a wager or a payout.', {
  ruleId: Type.String(),
  taxableAmount: Money('Base of the tax.'),
  tax: Money(),
});
const common = {
  ref: Type.String(),
  amount: Money(),
  currency: Type.String(),
  countryCode: Type.String(),
  clientId: Type.String(),
  recordedBy: Type.String(),
  taxes: Type.Array(GamingTax),
  observations: Observations,
  createdAt: Type.String(),
};
export const Wager = Named('Wager', 'A wager as it was recorded.', {
  wagerId: Type.String(),
  ...common,
  type: Type.String({ description: 'Product line of the wager.' }),
  ipNetwork: Type.String({
    description:
      'Network from which the wager was placed: the /24 of an IPv4 address, the /64 of an IPv6 address. The address itself is kept sealed; `expand=request` opens it.',
  }),
  ip: Type.Optional(Type.String({ description: 'The address itself, of wagers recorded by version 0.1 only.' })),
});
export const Payout = Named('Payout', 'A payout of a wager as it was recorded.', {
  payoutId: Type.String(),
  ...common,
  wagerId: Type.String(),
  wagerReference: Type.String({ description: 'External reference of the wager that is paid out.' }),
  stakeReturned: Type.Optional(
    Type.Literal(true, { description: 'It gives the stake of a void wager back, and is no win.' }),
  ),
});

export const gamingEntries = {
  'wager.created/1': entry('A wager was recorded.', { data: Wager, evidence: Evidence }),
  'payout.created/1': entry('A payout was recorded.', { data: Payout, evidence: Evidence }),
};

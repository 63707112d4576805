// What decided the tax of a sale beside the rules: what was sold, whether the client owed the tax, and who bought.

import { Box, Stack } from '@mantine/core';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { goodsWords, supplierWords, supplyWords } from '../../data/tax-words.ts';
import { say } from '../../words/words.ts';
import type { Evidenced } from './parts.ts';

const customerWords = {
  CONSUMER: say('Consumer'),
  BUSINESS_ABROAD: say('Business in another country, known by its tax number'),
  BUSINESS_AT_HOME: say('Business of the country, buying from a client of another one'),
};

/** Who said what was sold. */
const saidByWords = {
  CODE: say('The merchant category code'),
  CALLER: say('The caller'),
  PROFILE: say('The tax profile of the client'),
};

export function SaleTax({ transaction: t }: { readonly transaction: Evidenced }) {
  const { supply, supplySaidBy, goods, supplier, customer, localDate, untaxed } = t.decision;
  if (supplier === undefined) return null;
  const standard = customer === 'CONSUMER' && ['REGISTERED', 'ASSUMED_REGISTERED'].includes(supplier);
  const ofTheSale = supply
    ? supplyWords[supply]
    : standard
      ? say('Not known: the standard rate applies')
      : say('Not known');
  return (
    <Box mb="md">
      <Facts
        items={[
          [
            say('What was sold'),
            goods ? (
              <Stack key="goods" gap={0}>
                {goods.map((g) => (
                  <div key={g.category ?? 'sale'}>
                    {g.category ? goodsWords[g.category] : ofTheSale} <Money amount={g.taxable} currency={t.currency} />
                  </div>
                ))}
              </Stack>
            ) : (
              ofTheSale
            ),
          ],
          !!supplySaidBy && [say('Said by'), saidByWords[supplySaidBy]],
          [say('Client owes the tax'), supplierWords(supplier, t.countryCode, localDate)],
          [say('Customer'), customer && customerWords[customer]],
          leftOut(say('Discounts, not taxed'), t.currency, untaxed?.discounts),
          leftOut(say('Vouchers taxed when sold'), t.currency, untaxed?.singlePurposeVouchers),
        ]}
      />
    </Box>
  );
}

/** @returns false if nothing was left out */
const leftOut = (term: string, currency: string, amount: string | undefined): Fact =>
  amount !== undefined && /[1-9]/.test(amount) && [term, <Money key={term} amount={amount} currency={currency} />];

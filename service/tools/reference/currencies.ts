// The page of the currencies and crypto assets that requests may name, with their decimals.
import type { Reference } from '../../src/core/reference.ts';
import { byText, code, page, table } from './markdown.ts';

export function currenciesPage(reference: Reference): string {
  const symbols = [...new Set(reference.assets.map((a) => a.symbol))].sort(byText);
  return page(
    'Currencies and crypto assets',
    'What `currency` may be, in upper or lower case, and how many decimals an amount in it may have. An amount with more is refused with `AMOUNT_PRECISION`, what is not listed with `UNKNOWN_CURRENCY`. Amounts are in whole units: 0.00000001 BTC is one satoshi.',
    '## Crypto assets',
    'For `cryptoDeposit` and `cryptoWithdrawal`. A request names no network: an amount may have the most decimals that any of them has. What is worked out of it has the fewest, if the amounts sent have no more, so that it can be sent on each of them.',
    table(
      ['Symbol', 'Name', 'Decimals', 'Networks'],
      symbols.map((symbol) => {
        const found = reference.assets.filter((a) => a.symbol === symbol);
        return [
          code(symbol),
          found[0]?.name,
          [...new Set(found.map((a) => a.decimals))].sort((a, b) => a - b).join(' or '),
          found.map((a) => a.network).join(', '),
        ];
      }),
    ),
    '## Currencies',
    'ISO 4217, for every operation. A code is taken on the days on which it is in use.',
    table(
      ['Code', 'Name', 'Decimals', 'In use'],
      [...reference.currencies]
        .sort((a, b) => byText(a.code, b.code))
        .map((c) => [
          code(c.code),
          c.name,
          c.decimals,
          [c.validFrom && `from ${c.validFrom}`, c.validTo && `until before ${c.validTo}`].filter(Boolean).join(', '),
        ]),
    ),
  );
}

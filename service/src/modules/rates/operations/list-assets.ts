import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { form } from '../../kernel/text-forms.ts';
import { ShownAsset, shownAsset } from '../asset-shown.ts';

export const listAssets = operation({
  id: 'listAssets',
  method: 'GET',
  path: '/v1/asset',
  tag: 'Rates',
  summary: 'Crypto assets',
  description:
    'Crypto deposits and withdrawals may name these as their currency, besides currencies of ISO 4217. An asset has a row for each of its networks.',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    symbol: Type.Optional(
      Type.String({
        description: 'Only this asset.',
        ...form('^[A-Za-z0-9]{1,12}$', 'at most 12 letters and digits'),
        maxLength: 12,
      }),
    ),
  }),
  content: Named('CryptoAssetList', 'Crypto assets, by symbol.', { items: Type.Array(ShownAsset) }),
  async handle({ query: { symbol } }, s: Needs<'reference'>) {
    const items = s.reference.assets
      .filter((a) => symbol === undefined || a.symbol === symbol.toUpperCase())
      .sort((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : a.network < b.network ? -1 : 1))
      .map((a) => shownAsset(s, a));
    return { message: 'crypto assets', content: { items } };
  },
});

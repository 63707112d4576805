// POST /v1/admin/asset: add a crypto asset, or a network of one.
import { refuse, said } from '../../../core/refusal.ts';
import { operation, Reason, type Reply, Text, Type } from '../../kernel/operation.ts';
import { codeName, form } from '../../kernel/text-forms.ts';
import { ShownAsset, shownAsset } from '../asset-shown.ts';
import type { Uses } from '../rate-fields.ts';

export const addAsset = operation({
  id: 'addAsset',
  method: 'POST',
  path: '/v1/admin/asset',
  tag: 'Rates',
  area: 'administration',
  summary: 'Add a crypto asset',
  description:
    'Crypto deposits and withdrawals may then name its symbol as their currency, in all processes within a second. An asset stays: its decimals may only grow, since amounts with as many may be on record. Of a network whose addresses and hashes are not known here, they are not checked.',
  audience: ['operator'],
  idempotent: true,
  body: Type.Object({
    symbol: Type.String({
      description: 'Its symbol, in capitals.',
      ...form('^[A-Z0-9]{2,12}$', '2 to 12 capital letters and digits'),
      maxLength: 12,
    }),
    network: Type.String({
      description: 'The network that it is on, in the words of `listAssets`: `ETHEREUM`.',
      ...codeName,
      maxLength: 40,
    }),
    decimals: Type.Integer({ description: 'Decimals of its amounts on that network.', minimum: 0, maximum: 24 }),
    name: Text('Its name.', 80),
    reason: Reason,
  }),
  content: ShownAsset,
  example: { symbol: 'EURC', network: 'STELLAR', decimals: 7, name: 'Euro Coin', reason: 'listed on 1 December 2026' },
  async handle({ principal, body: { reason, ...asset }, now }, s: Uses): Promise<Reply> {
    const { symbol, network, decimals } = asset;
    if (s.reference.isCurrency(symbol))
      throw refuse('FIELD_INVALID', said`the field 'symbol' is a currency of ISO 4217: '${symbol}'`);
    const held = () => s.reference.assets.find((a) => a.symbol === symbol && a.network === network);
    const known = held();
    if (known?.decimals === decimals)
      return { message: 'the asset is known', content: shownAsset(s, known), replayed: true };
    if (known && known.decimals > decimals)
      throw refuse(
        'FIELD_INVALID',
        said`the field 'decimals' may only grow: amounts of ${symbol} on ${network} have up to ${known.decimals}`,
      );
    await s.rateKeeper.addAsset(s, principal, asset, reason, now);
    return { message: 'asset added', content: shownAsset(s, held() ?? asset) };
  },
});

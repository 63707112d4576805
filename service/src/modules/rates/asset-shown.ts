// A crypto asset on one network, as it is shown.
import type { CryptoAsset } from '../../core/reference.ts';
import { areFormsKnown } from '../../platform/crypto-addresses.ts';
import { Named, type Needs, Type } from '../kernel/operation.ts';

export const ShownAsset = Named('CryptoAsset', 'A crypto asset on one network.', {
  symbol: Type.String({ description: 'Its symbol, the currency of requests.' }),
  network: Type.String({ description: 'The network that it is on.' }),
  decimals: Type.Integer({ description: 'Decimals of its amounts on that network.' }),
  name: Type.String({ description: 'Its name.' }),
  origin: Type.Enum(['shipped', 'operator'], { description: 'Whether the service brings it, or staff added it.' }),
  checked: Type.Boolean({
    description:
      'Whether the forms of its addresses and hashes are checked: where those of all its networks are known.',
  }),
});

export const shownAsset = (s: Needs<'reference'>, { symbol, network, decimals, name, added }: CryptoAsset) => ({
  ...{ symbol, network, decimals, name },
  origin: added ? ('operator' as const) : ('shipped' as const),
  checked: areFormsKnown(s.reference.networks(symbol)),
});

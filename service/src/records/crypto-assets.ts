// Crypto assets added by staff. They belong to no PSP.
import { column, defineRecord, insert } from './define.ts';

export const cryptoAssets = defineRecord({
  table: 'crypto_assets',
  key: ['symbol', 'network', 'decimals'],
  columns: {
    symbol: column.text,
    network: column.text,
    decimals: column.int4,
    name: column.text,
    recorded_at: column.timestamptz,
  },
  writes: { crypto_assets: insert },
});

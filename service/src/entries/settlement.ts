// Nettings of chargebacks: the resource as returned and journalled, and its entries.
import { entry } from './define.ts';
import { Named, Type } from './schema.ts';
import { Amounts } from './transactions.ts';

const netting = {
  nettingId: Type.String({ description: 'Id of the netting, `net_…`.' }),
  ref: Type.String(),
  clientId: Type.String(),
  chargebackId: Type.String(),
  transactionId: Type.String(),
  currency: Type.String(),
  countryCode: Type.String(),
  amounts: Amounts,
  createdAt: Type.String(),
};
export const NettingResource = Named(
  'Netting',
  'Amounts of a chargeback that were subtracted from a later settlement.',
  netting,
);

const localDate = Type.String({ description: 'The local day on which it counts, `YYYY-MM-DD`.' });

export const settlementEntries = {
  'chargeback.netted/1': entry('Amounts of a chargeback were subtracted from a later settlement.', {
    data: NettingResource,
    evidence: Named('NettingEvidence', 'The day of a netting.', { localDate }),
  }),
  'chargeback.netting_released/1': entry(
    'A netting ended, because the transaction it was netted against does not settle it any more, or the chargeback is reversed.',
    {
      data: Named('ReleasedNetting', 'A netting that ended.', {
        ...netting,
        releasedAt: Type.String({ description: 'When it ended, ISO 8601 UTC.' }),
      }),
      evidence: Named('ReleaseEvidence', 'What ended a netting.', {
        transactionRevision: Type.Integer({ description: 'The revision of the transaction that ended it.' }),
        localDate,
      }),
    },
  ),
};

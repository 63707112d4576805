// The licences of a client as returned.
import { accountWire } from '../../core/ids.ts';
import { LicenceResource } from '../../entries/verifications.ts';
import { Named, Type } from '../kernel/operation.ts';
import { licenceResource } from './shown.ts';
import type { Verification } from './verification-store.ts';

export const ClientLicences = Named('ClientLicences', 'The licences of a client.', {
  clientId: Type.String(),
  licences: Type.Array(LicenceResource, { description: 'All licences, in the order in which they were added.' }),
});

export const shownLicences = (v: Pick<Verification, 'psp' | 'account' | 'licences'>) => ({
  clientId: accountWire(v.psp, v.account),
  licences: v.licences.map(licenceResource),
});

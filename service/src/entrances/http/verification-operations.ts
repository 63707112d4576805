// The operations on what clients have to show; operations.ts has them all.
import { previewStanding } from '../../modules/transactions/operations/preview-standing.ts';
import { acceptClientDocument } from '../../modules/verification/operations/accept-client-document.ts';
import { acceptClientLicence } from '../../modules/verification/operations/accept-client-licence.ts';
import { addClientDocument } from '../../modules/verification/operations/add-client-document.ts';
import { getClientDocument } from '../../modules/verification/operations/get-client-document.ts';
import { getClientOwners } from '../../modules/verification/operations/get-client-owners.ts';
import { listClientDocuments } from '../../modules/verification/operations/list-client-documents.ts';
import { listClientLicences } from '../../modules/verification/operations/list-client-licences.ts';
import { refuseClientDocument } from '../../modules/verification/operations/refuse-client-document.ts';
import { refuseClientLicence } from '../../modules/verification/operations/refuse-client-licence.ts';
import { setClientLicence } from '../../modules/verification/operations/set-client-licence.ts';
import { setClientOwners } from '../../modules/verification/operations/set-client-owners.ts';

export const verificationOperations = [
  addClientDocument,
  listClientDocuments,
  getClientDocument,
  acceptClientDocument,
  refuseClientDocument,
  setClientOwners,
  getClientOwners,
  setClientLicence,
  listClientLicences,
  acceptClientLicence,
  refuseClientLicence,
  previewStanding,
];

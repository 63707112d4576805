// What other modules may use of what clients have shown.

export { warnOfDocuments } from './document-watch.ts';
export { endingLicences } from './ending-licences.ts';
export { warnOfLicences } from './licence-watch.ts';
export { type OpenedOwners, openOwners, ownersOfClients } from './owners.ts';
export { raisedLevel, whyNotRaised } from './raise-level.ts';
export { type HasRequirements, requirementsOf } from './shown.ts';

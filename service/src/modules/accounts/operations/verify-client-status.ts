import type { PspId } from '../../../core/ids.ts';
import { notFound, orThrow } from '../../../core/refusal.ts';
import { currentlyDue, unacceptable } from '../../../core/standing.ts';
import { Hold } from '../../../entries/accounts.ts';
import { Requirements } from '../../../entries/verifications.ts';
import type { Database } from '../../../platform/database.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { flags, viewerOf } from '../account-resource.ts';
import { type Account, clientId, concernedAccount, findAccount } from '../accounts.ts';

/** Sources of further flags besides holds; they depend on accounts, not the reverse. */
interface HasFurtherFlags {
  readonly furtherFlags: (db: Database, psp: PspId, account: string) => Promise<readonly object[]>;
}

/** What a client has to show; it depends on accounts, not the reverse. */
export interface HasRequirementsOf {
  readonly requirementsOf: (db: Database, account: Account, now: number) => Promise<readonly object[]>;
}

export const verifyClientStatus = operation({
  id: 'verifyClientStatus',
  method: 'GET',
  path: '/v1/client/verifyClientStatus',
  spec: '4.6',
  tag: 'Clients',
  area: 'payments',
  summary: 'Current standing of the calling client',
  audience: ['psp', 'client'],
  content: Named('ClientStatus', 'The standing of the client.', {
    clientId: Type.String(),
    registeredName: Type.String(),
    classification: Type.Union([Type.String(), Type.Null()]),
    countryCode: Type.Union([Type.String(), Type.Null()], {
      description: 'Country of registration, ISO 3166-1 alpha-2.',
    }),
    verificationLevel: Type.Enum(['UNVERIFIED', 'BASIC', 'ENHANCED']),
    operationalStanding: Type.Enum(['ACTIVE', 'SUSPENDED', 'CLOSED']),
    acceptable: Type.Boolean(),
    flags: Type.Array(Hold, { description: 'Holds, and webhook addresses of the client that fail or were disabled.' }),
    requirements: Named('Requirements', 'Requirements for acceptable standing.', {
      currentlyDue: Type.Array(Type.String(), {
        description: 'Requirements that are due now; empty if there are none.',
      }),
      items: Requirements,
    }),
  }),
  async handle(call, s: Needs<'settings' | 'db'> & HasFurtherFlags & HasRequirementsOf) {
    const { principal } = call;
    const id = orThrow(concernedAccount(principal, call.onBehalfOf));
    const account = await findAccount(s.db, principal.psp, id);
    const psp = id === principal.psp ? account : await findAccount(s.db, principal.psp, principal.psp);
    if (!account || !psp) throw notFound();
    const at = new Date(call.now).toISOString();
    const policy = s.settings.requiredLevel;
    const reason = unacceptable(account, psp, policy, at);
    return {
      message: reason === undefined ? 'the client is in acceptable standing' : `not acceptable: ${reason}`,
      content: {
        clientId: clientId(account),
        registeredName: account.name,
        classification: account.classification,
        countryCode: account.country,
        verificationLevel: account.verificationLevel,
        operationalStanding: account.operationalStanding,
        acceptable: reason === undefined,
        flags: [...flags(account, at, viewerOf(principal)), ...(await s.furtherFlags(s.db, principal.psp, id))],
        requirements: {
          currentlyDue: currentlyDue(account, policy),
          items: await s.requirementsOf(s.db, account, call.now),
        },
      },
    };
  },
});

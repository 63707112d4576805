import { orThrow } from '../../../core/refusal.ts';
import { classifications } from '../../../core/standing.ts';
import { Named, type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { clientId, type HasAccounts } from '../accounts.ts';
import type { HasKeys } from '../keys.ts';
import { register } from '../register.ts';

export const registerClient = operation({
  id: 'registerClient',
  method: 'POST',
  path: '/v1/client/registerClient',
  spec: '4.5',
  tag: 'Clients',
  area: 'administration',
  summary: 'Register a client',
  description:
    'The key and the secret are shown only in this response; its header `x-client-id` names the client. The client starts ACTIVE, at verification level BASIC. If the response was lost, send the same body again within a day: as long as the key was never used, the response has a working key and secret. After some minutes these are new ones, and the former ones end.',
  audience: ['psp'],
  standing: 'active',
  // Spec 4.5
  body: Type.Object({
    registeredName: Text('Registered name.', 300),
    registrationNumber: Text('Number in the register of its country.', 100),
    countryCode: Type.String({ description: 'ISO 3166-1 alpha-2 or alpha-3.', minLength: 2, maxLength: 3 }),
    email: Type.String({ format: 'email', minLength: 3, maxLength: 254 }),
    phoneNumber: Text('Telephone number.', 32),
    classification: Type.Enum(classifications),
    organizationTin: Text('Tax identification number.', 60),
  }),
  content: Named('ClientCredentials', 'The key and the secret of a new client.', {
    apiKey: Type.String(),
    secret: Type.String(),
  }),
  example: {
    registeredName: 'Lagos Books Ltd',
    registrationNumber: 'RC-1234567',
    countryCode: 'NG',
    email: 'accounts@lagosbooks.example',
    phoneNumber: '+2348030000001',
    classification: 'ECOMM_LOCAL',
    organizationTin: '12345678-0001',
  },
  refusals: ['UNKNOWN_COUNTRY', 'ALREADY_REGISTERED'],
  async handle(
    { principal, body: b, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'reference' | 'subjects'> & HasAccounts & HasKeys,
  ) {
    const country = orThrow(s.reference.country(b.countryCode));
    const made = await register(
      s,
      principal,
      {
        psp: principal.psp,
        id: s.ids.next(),
        kind: 'client',
        name: b.registeredName,
        registrationNumber: b.registrationNumber,
        country: country.alpha2,
        classification: b.classification,
        organizationTin: b.organizationTin,
        contact: { email: b.email, phoneNumber: b.phoneNumber },
      },
      now,
    );
    return {
      message: 'client registered; keep apiKey and secret, they are not shown again',
      content: { apiKey: made.apiKey, secret: made.secret },
      ...(made.replayed ? { replayed: true } : {}),
      headers: { 'x-client-id': clientId(made.account) },
    };
  },
});

import { orThrow } from '../../../core/refusal.ts';
import { Named, type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { clientId, type HasAccounts } from '../accounts.ts';
import { createAccount } from '../administer.ts';

export const createPsp = operation({
  id: 'createPsp',
  method: 'POST',
  path: '/v1/admin/psp',
  tag: 'Accounts',
  summary: 'Create a PSP with its first key',
  audience: ['operator'],
  body: Type.Object({
    name: Text('Name.', 300),
    countryCode: Type.String({
      minLength: 2,
      maxLength: 3,
      description: 'Country of registration, ISO 3166-1 alpha-2 or alpha-3.',
    }),
  }),
  content: Named('PspCredentials', 'A new PSP with its first key and its secret.', {
    pspId: Type.String(),
    apiKey: Type.String(),
    secret: Type.String(),
  }),
  example: { name: 'Example Pay', countryCode: 'NG' },
  refusals: ['UNKNOWN_COUNTRY'],
  async handle(
    { principal, body, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'reference' | 'subjects'> & HasAccounts,
  ) {
    const country = orThrow(s.reference.country(body.countryCode));
    const id = s.ids.next();
    const made = await createAccount(
      s,
      principal,
      { psp: id, id, kind: 'psp', name: body.name, country: country.alpha2 },
      now,
    );
    return {
      message: 'PSP created; keep apiKey and secret, they are not shown again',
      content: { pspId: clientId(made.account), apiKey: made.apiKey, secret: made.secret },
    };
  },
});

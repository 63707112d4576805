// What requests that issue keys have in common, and keys as they are returned.
import { scopes } from '../../core/scopes.ts';
import { Scopes } from '../../entries/accounts.ts';
import { Extended, Named, Text, Type } from '../kernel/operation.ts';

/** The longest that replaced keys may go on working: a year. */
export const longestGraceHours = 8784;

const AskedScopes = Type.Array(Type.Enum(scopes), {
  description: "Scopes of the key; it can have none that the caller's key has not. Default: those of the caller.",
  minItems: 1,
  maxItems: scopes.length,
});

/** The fields of a request for a further key. */
export const keyFields = {
  name: Text('Purpose of the login.', 100),
  expiresAt: Type.Optional(
    Type.String({
      description:
        'When the key ends. A key that ends itself issues none that lasts longer than it was issued for. Default: as long as that, or never.',
      format: 'date-time',
    }),
  ),
  mode: Type.Optional(
    Type.Enum(['live', 'test'], {
      description: 'Default: live; of an account for tests, whose keys are all for tests, test.',
    }),
  ),
  scopes: Type.Optional(AskedScopes),
};

export const GraceHours = Type.Optional(
  Type.Integer({
    description: 'Ends all other keys of the account after so many hours; 0: at once.',
    minimum: 0,
    maximum: longestGraceHours,
  }),
);

export const ListedKey = Named('ApiKey', 'An API key, without the key itself.', {
  keyId: Type.String(),
  name: Type.String({ description: 'Purpose of the key.' }),
  createdAt: Type.String(),
  expiresAt: Type.Union([Type.String(), Type.Null()]),
  revokedAt: Type.Union([Type.String(), Type.Null()]),
  lastUsedAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When it was last used, ISO 8601 UTC; null if it never was.',
  }),
  lastUsedNetwork: Type.Union([Type.String(), Type.Null()], {
    description: 'Network it was last used from: an IPv4 /24 (`203.0.113.0/24`) or an IPv6 /64.',
  }),
  mode: Type.Enum(['live', 'test']),
  scopes: Scopes,
});

export const AccountKey = Extended(ListedKey, 'AccountKey', 'An API key with its account, without the key itself.', {
  accountId: Type.String({ description: 'The account whose key it is.' }),
  accountName: Type.String({ description: "The account's name." }),
  pspId: Type.String(),
});

export const IssuedKey = Named('IssuedKey', 'A new API key.', {
  keyId: Type.String(),
  apiKey: Type.String(),
  name: Type.String({ description: 'Purpose of the key.' }),
  expiresAt: Type.Union([Type.String(), Type.Null()]),
  mode: Type.Enum(['live', 'test']),
  scopes: Scopes,
  clientId: Type.String({ description: 'The account it is a key of.' }),
  replaced: Type.Optional(
    Type.Array(
      Named('ReplacedKey', 'A key that ends.', {
        keyId: Type.String(),
        name: Type.String(),
        expiresAt: Type.String(),
      }),
      { description: 'With `graceHours`: the keys that end.' },
    ),
  ),
});

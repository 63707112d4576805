// Authorities and what their people read: the resource as returned and journalled, and the entries about them.
import { viewKinds } from '../core/oversight.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

export const viewFields = {
  countryCode: Type.String({ description: 'The country whose records it sees, ISO 3166-1 alpha-2.' }),
  taxCodes: Nullable(
    Type.Array(Type.String()),
    'Codes of the taxes it is responsible for; null for all of the country.',
  ),
  recordKinds: Type.Array(Type.Enum(viewKinds), { description: 'Kinds of records that it sees.' }),
  dayFrom: Type.String({ description: "First day that it sees, `YYYY-MM-DD`, in the country's calendar." }),
  dayTo: Nullable(Type.String(), 'Last day that it sees; null: up to the present.'),
  until: Type.String({ description: 'When its access ends, ISO 8601 UTC.' }),
};

export const AuthorityResource = Named('Authority', 'An authority whose people read what concerns their country.', {
  authorityId: Type.String({ description: 'Its account, `psp_…` as those of operators.' }),
  name: Type.String({ description: 'Name of the authority.' }),
  ...viewFields,
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const authorityEntries = {
  'authority.set/1': entry('An authority was let in, or what it sees was changed.', {
    data: AuthorityResource,
    evidence: Reason,
  }),
  'authority.read/1': entry('Somebody of an authority read something. Recorded before it was read.', {
    data: Named('AuthorityRead', 'What somebody of an authority asked to read.', {
      authorityId: Type.String({ description: 'The account of the authority.' }),
      operation: Type.String({ description: 'The operation that was called.' }),
      asFile: Type.Boolean({ description: 'Whether the whole list was read as a CSV file.' }),
      parameters: Type.Array(Type.String(), {
        description: 'Parameters of the path and the query, each as `name=value`.',
      }),
    }),
  }),
};

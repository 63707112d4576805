import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { find } from '../erase.ts';
import { who } from '../named-subject.ts';
import { keptKinds } from '../subject-store.ts';

export const findSubject = operation({
  id: 'findSubject',
  method: 'POST',
  path: '/v1/subject/find',
  tag: 'Persons',
  area: 'records',
  summary: 'Count the records of a person',
  description:
    'Numbers of records by kind, without their content, and whether an erasure would be refused. The call itself is not recorded.',
  audience: ['psp', 'operator'],
  standing: 'any',
  body: Type.Object(who),
  content: Named('SubjectRecords', 'Numbers of records of a person.', {
    items: Type.Array(
      Named('SubjectRecordCount', 'Numbers of records of a kind.', {
        kind: Type.Enum([...keptKinds, 'rejectedLines']),
        readable: Type.Integer({ description: 'Records whose personal data can be read.' }),
        erased: Type.Integer({ description: 'Records whose personal data was erased.' }),
      }),
    ),
    heldBy: Nullable(
      Named(
        'ErasureHold',
        'Case or alert that an erasure would be refused for, or that there may be one; it must be kept from the person.',
        {
          id: Nullable(
            Type.String(),
            'Id of the case, or of the alert that nobody has resolved; null where it is not known yet whether there is one.',
          ),
          kind: Type.Enum(['CASE', 'ALERT', 'UNREAD'], {
            description:
              '`UNREAD` if what was recorded before this call is not looked through for alerts yet: ask again in a minute.',
          }),
          until: Nullable(Type.String(), 'Day (UTC) until which the data is kept; null while it is open.'),
        },
      ),
      'Null if nothing keeps the data.',
    ),
    archivedBefore: Type.Optional(
      Type.String({
        description:
          'Records made before this day (UTC) are in the archive and not counted. An erasure makes these unreadable too.',
      }),
    ),
  }),
  example: { subjects: ['email:ada@example.com', 'phone:+2348030000002'] },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'vault' | 'subjects'>) {
    return { message: 'what is kept', content: await find(s, call, call.body) };
  },
});

import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
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
  description: 'Numbers of records by kind, without their content. The call itself is not recorded.',
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
    return { message: 'what is kept', content: { items: await find(s, call, call.body) } };
  },
});

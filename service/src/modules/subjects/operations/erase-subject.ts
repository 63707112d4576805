// A person's data: what is stored about them, and its erasure.
import { Type } from 'typebox';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation, Prose } from '../../kernel/operation.ts';
import { erase, find } from '../erase.ts';
import { identityKinds } from '../identity.ts';
import { keptKinds } from '../subject-store.ts';

const who = {
  pspId: Type.Optional(
    Type.String({ description: "With an operator's key: the PSP that the person is known to.", maxLength: 64 }),
  ),
  subjects: Type.Array(Type.String({ minLength: 1, maxLength: 400, 'x-characters': 'any' }), {
    description: `All that the person is known by: ${Object.entries(identityKinds)
      .map(([kind, leads]) => `\`${kind}:…\` leads to ${leads}`)
      .join(
        '; ',
      )}. Data recorded under an e-mail is not found by a telephone number, nor the other way round: give both.`,
    minItems: 1,
    maxItems: 20,
  }),
};

export const findSubject = operation({
  id: 'findSubject',
  method: 'POST',
  path: '/v1/subject/find',
  tag: 'Persons',
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
  }),
  example: { subjects: ['email:ada@example.com', 'phone:+2348030000002'] },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'vault' | 'subjects'>) {
    return { message: 'what is kept', content: { items: await find(s, call, call.body) } };
  },
});

export const eraseSubject = operation({
  id: 'eraseSubject',
  method: 'POST',
  path: '/v1/subject/erase',
  tag: 'Persons',
  summary: 'Erase a person',
  description:
    "Destroys the keys that the person's data is sealed under, so that it cannot be read anywhere, including the journal, and reads `erased`. Amounts, taxes and hashes stay. This cannot be undone. Later data of the same person gets a new key. If there is nothing to erase, `erasureId` is null and nothing is recorded.",
  audience: ['psp', 'operator'],
  standing: 'active',
  body: Type.Object({
    ...who,
    reason: Prose('Reason; recorded in the journal, so leave out personal data.', 500),
  }),
  content: Named('Erasure', 'Result of an erasure.', {
    erasureId: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the erasure, which has a receipt like a transaction.',
    }),
    keys: Type.Integer({ description: 'Keys destroyed: one for each identity the person had.' }),
    rejectedLines: Type.Integer({ description: 'Rejected lines of call detail files that were dropped.' }),
  }),
  example: { subjects: ['email:ada@example.com', 'phone:+2348030000002'], reason: 'request of 2026-11-20' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer' | 'vault' | 'subjects'>) {
    const content = await erase(s, call, call.body, call.body.reason);
    const message = content.erasureId === null ? 'there was nothing to erase' : 'person erased';
    return { message, content };
  },
});

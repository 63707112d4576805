// What is done about call detail files beside the timetable: picking them up at once, giving rejected lines up.
import { Type } from 'typebox';
import { Refusal, refuse } from '../../../core/refusal.ts';
import { type HasAccounts, listedAccount } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Named, operation, Prose } from '../../kernel/operation.ts';
import { giveUp } from '../files/give-up.ts';
import type { HasCdrIntake } from '../files/intake.ts';
import { fileOf } from './cdr-files.ts';

export const pickUpCdrFiles = operation({
  id: 'pickUpCdrFiles',
  method: 'POST',
  path: '/v1/telecom/pickUp',
  tag: 'Telecom',
  summary: 'Pick up finished call detail files at once',
  description:
    "Takes the files that wait in /cdr/incoming of the key's account (of a PSP's key: of all its clients, or of the one named by x-client-id) and answers; what becomes of them is told by the files and their status.",
  audience: ['psp', 'client'],
  content: Named('PickUp', 'What was picked up from the file drop.', {
    taken: Type.Integer({ description: 'Number of files.' }),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf }, s: Needs<'db'> & HasAccounts & HasCdrIntake) {
    const account = await listedAccount(s, principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    const taken = await s.cdrIntake.take({ psp: principal.psp, account });
    void s.cdrIntake.work();
    return { message: 'call detail files picked up', content: { taken } };
  },
});

export const writeOffCdrLines = operation({
  id: 'writeOffCdrLines',
  method: 'POST',
  path: '/v1/telecom/file/:fileId/writeOff',
  tag: 'Telecom',
  summary: 'Give up rejected lines of a call detail file, with a reason',
  description: 'Without `lines` all that are open. A line that was corrected or written off before is left as it is.',
  audience: ['psp', 'client'],
  body: Type.Object({
    reason: Prose('Why they are given up; it is journalled.', 500),
    lines: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 10_000 })),
  }),
  content: Named('WriteOff', 'What was written off.', {
    writtenOff: Type.Integer({ description: 'Number of lines.' }),
  }),
  example: { reason: 'test calls of the exchange', lines: [17, 18] },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'>) {
    const { principal, body, now } = call;
    const lines = await giveUp(s, principal, await fileOf(s, call), body.lines, body.reason, now);
    if (lines === 0) throw refuse('STATE_CONFLICT', 'none of these lines is open; see the errors of the file');
    return { message: 'lines written off', content: { writtenOff: lines } };
  },
});

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
    "Takes the finished files from /cdr/incoming of the key's account and responds at once. With a PSP's key: of all its clients, or of the one in x-client-id; with an operator's key: of all PSPs. Follow the files and their state for the result.",
  audience: ['psp', 'client', 'operator'],
  content: Named('PickUp', 'Result of a pick-up from the file drop.', {
    taken: Type.Integer({ description: 'Number of files.' }),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf }, s: Needs<'db'> & HasAccounts & HasCdrIntake) {
    const account = await listedAccount(s, principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    const taken = await s.cdrIntake.take(principal.kind === 'operator' ? {} : { psp: principal.psp, account });
    void s.cdrIntake.work();
    return { message: 'call detail files picked up', content: { taken } };
  },
});

export const writeOffCdrLines = operation({
  id: 'writeOffCdrLines',
  method: 'POST',
  path: '/v1/telecom/file/:fileId/writeOff',
  tag: 'Telecom',
  summary: 'Write off rejected lines of a call detail file',
  description:
    'Writes off all open lines if `lines` is omitted. Lines that were already corrected or written off do not change.',
  audience: ['psp', 'client'],
  body: Type.Object({
    reason: Prose('Reason; recorded in the journal.', 500),
    lines: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 10_000 })),
  }),
  content: Named('WriteOff', 'Result of a write-off.', {
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

import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import type { HasCdrIntake } from '../files/intake.ts';

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
  async handle(call, s: Needs<'db'> & HasAccounts & HasCdrIntake) {
    const { principal } = call;
    const account = await listedClient(s, call);
    const taken = await s.cdrIntake.take(principal.kind === 'operator' ? {} : { psp: principal.psp, account });
    void s.cdrIntake.work();
    return { message: 'call detail files picked up', content: { taken } };
  },
});

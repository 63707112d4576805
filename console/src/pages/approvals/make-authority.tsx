// Lets an authority in, or changes what it sees, as it was approved, for the person who proposed it.

import { ConfirmButton } from '../../components/confirm-button.tsx';
import { call } from '../../data/assay.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { type Authority, asAsked } from '../authorities/view-fields.ts';

interface Props {
  readonly proposal: { readonly proposalId: string; readonly reason: string };
}

export function MakeAuthority({ proposal: { proposalId, reason } }: Props) {
  const done = say('It is so from now on');
  const create = useDo('createAuthority', { asOperator: true, done });
  const change = useDo('changeAuthority', { asOperator: true, done });
  const make = async () => {
    const { proposed } = await call('getProposal', { proposalId }, {});
    const { name, authorityId, ...view } = proposed as unknown as Authority;
    const body = { ...asAsked(view), reason, proposalId };
    if (name) await create.mutateAsync({ ...body, name });
    else await change.mutateAsync({ ...body, authorityId });
  };
  return (
    <ConfirmButton label={say('Let in')} size="xs" question={say('Do what was approved?')} onConfirm={make}>
      {say('The approval is used up with it.')}
    </ConfirmButton>
  );
}

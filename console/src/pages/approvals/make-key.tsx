// Does what was approved, as the person who proposed it: issues the key of an operator, or creates one.

import { ConfirmButton } from '../../components/confirm-button.tsx';
import { call } from '../../data/assay.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

interface Props {
  readonly proposal: { readonly proposalId: string; readonly subject: string };
  /** Gets the key, which is shown outside of the row: the row is another one once the key is made. */
  readonly onKey: (apiKey: string) => void;
}

interface ProposedKey {
  readonly accountId: string;
  readonly name: string;
  readonly expiresAt?: string;
  readonly scopes?: ('payments' | 'records' | 'read' | 'administration')[];
}

const meaning = say('The approval is used up with it. The key is shown to you once.');

export function MakeKey({ proposal: { proposalId }, onKey }: Props) {
  const issue = useDo('issueKey', { asOperator: true });
  const make = async () => {
    const { proposed } = await call('getProposal', { proposalId }, {});
    const made = await issue.mutateAsync({ ...(proposed as unknown as ProposedKey), proposalId });
    onKey(made.apiKey);
  };
  return (
    <ConfirmButton label={say('Issue the key')} size="xs" question={say('Issue the key?')} onConfirm={make}>
      {meaning}
    </ConfirmButton>
  );
}

export function MakeOperator({ proposal: { proposalId, subject }, onKey }: Props) {
  const create = useDo('createOperator', { asOperator: true });
  const make = async () => onKey((await create.mutateAsync({ name: subject, proposalId })).apiKey);
  return (
    <ConfirmButton
      label={say('Create')}
      size="xs"
      question={say('Create the operator {subject}?', { subject })}
      onConfirm={make}
    >
      {meaning}
    </ConfirmButton>
  );
}

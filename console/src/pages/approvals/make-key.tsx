// Does what was approved, as the person who proposed it: issues the key of an operator, or creates one. The key is shown once.
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ShownOnceDialog } from '../../components/shown-once-dialog.tsx';
import { call } from '../../data/assay.ts';
import { useDo } from '../../data/use-do.ts';

interface Props {
  readonly proposal: { readonly proposalId: string; readonly subject: string };
}

interface ProposedKey {
  readonly accountId: string;
  readonly name: string;
  readonly expiresAt?: string;
  readonly scopes?: ('payments' | 'records' | 'read' | 'administration')[];
}

export function MakeKey({ proposal: { proposalId } }: Props) {
  const [secret, setSecret] = useState<string>();
  const issue = useDo('issueKey', { asOperator: true });
  const make = async () => {
    const { proposed } = await call('getProposal', { proposalId }, {});
    const { apiKey } = await issue.mutateAsync({ ...(proposed as unknown as ProposedKey), proposalId });
    setSecret(apiKey);
  };
  return <Once label="Issue the key" question="Issue the key?" make={make} secret={secret} set={setSecret} />;
}

export function MakeOperator({ proposal: { proposalId, subject } }: Props) {
  const [secret, setSecret] = useState<string>();
  const create = useDo('createOperator', { asOperator: true });
  const make = async () => setSecret((await create.mutateAsync({ name: subject, proposalId })).apiKey);
  return (
    <Once label="Create" question={`Create the operator ${subject}?`} make={make} secret={secret} set={setSecret} />
  );
}

interface OnceProps {
  readonly label: string;
  readonly question: string;
  readonly make: () => Promise<void>;
  readonly secret: string | undefined;
  readonly set: (secret: string | undefined) => void;
}

const Once = ({ label, question, make, secret, set }: OnceProps) => (
  <>
    <ConfirmButton label={label} size="xs" question={question} onConfirm={make}>
      The approval is used up with it. The key is shown to you once.
    </ConfirmButton>
    <ShownOnceDialog title="The key of the operator" name="API key" value={secret} onClose={() => set(undefined)} />
  </>
);

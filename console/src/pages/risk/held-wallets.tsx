// The holds of the wallet that a payment names, of a wallet, or of the wallets that a client's payments name: who placed
// each, when and why, until when, and a button that ends it.

import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Empty } from '../../components/empty.tsx';
import { InForce } from '../../components/in-force.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { Stamp } from '../../components/stamp.tsx';
import type { Content } from '../../data/assay.ts';
import { isNotFound } from '../../data/errors.ts';
import { useActorNames } from '../../data/people.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { HoldWallet } from './hold-wallet.tsx';

type Hold = Content<'listWalletHolds'>['items'][number];

/** The columns of a list of holds. */
export function useHoldColumns() {
  const actorOf = useActorNames();
  const works = useMay('releaseWalletHold');
  return {
    wallet: { key: 'wallet', header: say('Wallet'), cell: (h: Hold) => <Wallet of={h} /> },
    others: [
      { key: 'state', header: say('State'), cell: (h: Hold) => <InForce is={h.inForce} /> },
      { key: 'reason', header: say('Reason'), cell: (h: Hold) => h.reason },
      { key: 'by', header: say('By'), cell: (h: Hold) => actorOf(h.setBy) },
      { key: 'at', header: say('Placed'), cell: (h: Hold) => <Stamp at={h.createdAt} show="short" /> },
      {
        key: 'until',
        header: say('Until'),
        cell: (h: Hold) => (h.until === null ? say('No end') : <Stamp at={h.until} show="short" />),
      },
      { key: 'end', header: '', cell: (h: Hold) => (works ? <Ending of={h} /> : null) },
    ],
  };
}

interface Props {
  readonly of: { readonly transactionId: string } | { readonly walletId: string } | { readonly clientId: string };
  /** A payment by which the wallet can be put on hold. */
  readonly named?: string | undefined;
}

/** Nothing for a payment without a wallet, and for a client without a hold. */
export function HeldWallets({ of, named }: Props) {
  const pages = usePages('listWalletHolds', { ...of, limit: 10 });
  const { wallet, others } = useHoldColumns();
  const ofClient = 'clientId' in of;
  if (isNotFound(pages.error) || (ofClient && !pages.rows?.length)) return null;
  return (
    <Panel
      title={ofClient ? say('Wallets on hold') : say('Holds of the wallet')}
      flush
      actions={named ? <HoldWallet transactionId={named} /> : null}
    >
      <PlainTable
        label={say('Wallets on hold')}
        pages={pages}
        rowKey={(h) => h.holdId}
        empty={
          <Empty title={say('The wallet is not on hold')}>
            {say('While it is, crypto payments to and from it are declined, for every client.')}
          </Empty>
        }
        columns={ofClient ? [wallet, ...others] : others}
      />
    </Panel>
  );
}

/** The address where one was given, and otherwise the payment that names it. */
function Wallet({ of: h }: { readonly of: Hold }) {
  return h.transactionId === null ? (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {h.address}
    </Text>
  ) : (
    <Anchor component={Link} to={`/transactions/${h.transactionId}`} size="sm">
      {say('named by a payment')}
    </Anchor>
  );
}

/** What a case or rule placed is ended from its case, by two. */
function Ending({ of: h }: { readonly of: Hold }) {
  const end = useDo('releaseWalletHold', { done: say('The hold is ended') });
  if (!h.inForce) return null;
  if (h.caseId !== null)
    return (
      <Anchor component={Link} to={`/cases/${h.caseId}`} size="sm">
        {say('In its case')}
      </Anchor>
    );
  return (
    <ConfirmButton
      label={say('End')}
      question={say('End the hold?')}
      reason="required"
      danger
      size="xs"
      onConfirm={(reason) => end.mutateAsync({ holdId: h.holdId, reason })}
    >
      {say('Payments to and from the wallet pass at once, unless another hold of it is in force.')}
    </ConfirmButton>
  );
}

// The link from an alert to what it is about, where that is no transaction: a match with a list, a wager or payout, or the
// licences of its client. Ids of matches, wagers and payouts are named in its reason.

import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { RecordLink } from '../../components/record-link.tsx';
import { usePsp } from '../../data/psp.tsx';
import { pageOf } from '../../data/psp-address.ts';
import { say } from '../../words/words.ts';

interface Props {
  readonly alert: { readonly rule: string; readonly reason: string };
  readonly pspId: string;
  readonly clientId: string;
}

export function MatchLink({ alert, pspId, clientId }: Props) {
  const { isOperator } = usePsp();
  const [matchId] = alert.rule === 'LIST_MATCH' ? (/\bmtc_[0-9a-z]+/.exec(alert.reason) ?? []) : [];
  const [recordId] = /\b(?:wgr|pyt)_[0-9a-z]{26}\b/.exec(alert.reason) ?? [];
  if (recordId !== undefined) return <RecordLink pspId={pspId} recordId={recordId} />;
  if (alert.rule === 'LICENCE_ENDS' || alert.rule === 'DOCUMENT_ENDS') {
    const to = `/clients/${clientId}`;
    return (
      <Anchor component={Link} to={isOperator ? pageOf(pspId, to) : to} size="sm">
        {alert.rule === 'LICENCE_ENDS' ? say('The client’s licences') : say('The client’s documents')}
      </Anchor>
    );
  }
  if (matchId === undefined) return null;
  return (
    <Anchor
      component={Link}
      to={isOperator ? pageOf(pspId, '/lists') : '/lists'}
      search={{ tab: 'matches', clientId, matchId } as never}
      size="sm"
    >
      {say('The match and its score')}
    </Anchor>
  );
}

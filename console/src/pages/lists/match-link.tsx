// The link from an alert of the rule LIST_MATCH to the match that it is about, which its reason names.

import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
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

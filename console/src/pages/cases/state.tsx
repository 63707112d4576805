// The state of a case and its due date in words.

import { Group } from '@mantine/core';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useNow } from '../../data/now.ts';
import { say } from '../../words/words.ts';

export type CaseDetail = Content<'getCase'>;
/** What dialogs say of the reason that a step of a case asks for. */
export const keptSealed = say('Kept sealed with the case, with your name: it may name people.');

/** A queue as it is called; the one that cases are in unless somebody moves them has no name of its own. */
export const queueName = (queue: string): string => (queue === 'default' ? say('Default') : queue);
/** The queue that a typed name means. */
export const queueOf = (typed: string): string =>
  typed.toLowerCase() === say('Default').toLowerCase() ? 'default' : typed;

type Case = Pick<CaseDetail, 'state' | 'outcome' | 'proposed' | 'dueAt'>;

export function CaseBadge({ of: c }: { readonly of: Case }) {
  if (c.state === 'CLOSED') return <StatusBadge status={c.outcome} />;
  return c.proposed ? (
    <StatusBadge status="PROPOSED" label={say('Second person needed')} />
  ) : (
    <StatusBadge status={c.state} />
  );
}

/** When it is due; says so where that has passed. */
export function Due({ of: c }: { readonly of: Case }) {
  const now = useNow();
  const overdue = c.state !== 'CLOSED' && Date.parse(c.dueAt) < now;
  return (
    <Group gap={6} wrap="wrap">
      <Stamp at={c.dueAt} show="relative" />
      {overdue ? <StatusBadge status="OVERDUE" /> : null}
    </Group>
  );
}

// What needs attention: each kind of open problem, with a link to it.

import { Anchor, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { dayInWords } from '../../data/moments.ts';
import { usePsp } from '../../data/psp.tsx';
import { useOp } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { rich } from '../../words/rich.ts';
import { plural, say } from '../../words/words.ts';
import classes from './attention.module.css';
import type { OverviewData } from './series.ts';
import type { WaitingFigure } from './waiting-figures.ts';

type Waiting = OverviewData['attention'];

interface Row {
  readonly count: number;
  /** Of a page that shows one PSP's records: the figure by which those of all PSPs are found. */
  readonly figure?: WaitingFigure;
  /** After the number. */
  readonly words: string;
  readonly to: string;
  readonly tone: 'bad' | 'wait' | 'note';
}

/** Sealing runs every second; a longer lag is worth a look. */
const lagS = 30;

function rowsOf(a: Waiting): Row[] {
  const rows: Row[] = [
    {
      count: a.backgroundProcesses === 0 ? 1 : 0,
      words: say('background process is missing: nothing is delivered, reported or totalled'),
      to: '/webhooks',
      tone: 'bad',
    },
    {
      count: a.disabledWebhooks,
      figure: 'disabledWebhooks',
      words: plural(a.disabledWebhooks, 'webhook is disabled', 'webhooks are disabled'),
      to: '/webhooks',
      tone: 'bad',
    },
    {
      count: a.failingWebhooks,
      figure: 'failingWebhooks',
      words: plural(a.failingWebhooks, 'webhook fails', 'webhooks fail'),
      to: '/webhooks',
      tone: 'bad',
    },
    {
      count: a.exhaustedDeliveries,
      figure: 'exhaustedDeliveries',
      words: plural(a.exhaustedDeliveries, 'delivery failed', 'deliveries failed'),
      to: '/webhooks',
      tone: 'bad',
    },
    {
      count: a.openReviews ?? 0,
      words: plural(a.openReviews ?? 0, 'review is open', 'reviews are open'),
      to: '/reviews',
      tone: 'wait',
    },
    {
      count: a.overdueCases ?? 0,
      words: plural(a.overdueCases ?? 0, 'case is overdue', 'cases are overdue'),
      to: '/cases?show=overdue',
      tone: 'bad',
    },
    {
      count: a.openCases ?? 0,
      words: plural(a.openCases ?? 0, 'case is open', 'cases are open'),
      to: '/cases',
      tone: 'wait',
    },
    {
      count: a.openMatches ?? 0,
      words: plural(a.openMatches ?? 0, 'match of a list is open', 'matches of lists are open'),
      to: '/lists?tab=matches',
      tone: 'wait',
    },
    {
      count: a.disputesDue,
      figure: 'disputesDue',
      words: plural(a.disputesDue, 'dispute needs evidence within 7 days', 'disputes need evidence within 7 days'),
      to: '/settlement/disputes?state=OPEN&due=7',
      tone: 'wait',
    },
    {
      count: a.openProposals ?? 0,
      words: plural(a.openProposals ?? 0, 'proposal waits for a second person', 'proposals wait for a second person'),
      to: '/approvals',
      tone: 'wait',
    },
    {
      count: a.cdrLinesInSuspense,
      figure: 'cdrLinesInSuspense',
      words: plural(a.cdrLinesInSuspense, 'call record line in suspense', 'call record lines in suspense'),
      to: '/cdr',
      tone: 'wait',
    },
    {
      count: a.cdrFilesInWork,
      figure: 'cdrFilesInWork',
      words: plural(a.cdrFilesInWork, 'call record file in work', 'call record files in work'),
      to: '/cdr',
      tone: 'note',
    },
    {
      count: a.sealingLagS > lagS ? a.unsealedEntries : 0,
      words: plural(
        a.unsealedEntries,
        'entry unsealed, for {seconds} s',
        'entries unsealed, the oldest for {seconds} s',
        { seconds: a.sealingLagS },
      ),
      to: '/audit',
      tone: 'bad',
    },
  ];
  return rows.filter((r) => r.count > 0);
}

/** Returns are of one PSP each; the list holds the periods that the page of returns lists. */
function useReturnRows(): Row[] {
  const { ready } = usePsp();
  const { data } = useOp('listFilingPeriods', {}, { enabled: ready });
  const toFile = data?.items.filter((p) => p.hasRecords || p.reportId !== null) ?? [];
  const inState = (state: 'OVERDUE' | 'DUE') => toFile.filter((p) => p.state === state).length;
  const [overdue, due] = [inState('OVERDUE'), inState('DUE')];
  return [
    {
      count: overdue,
      words: plural(overdue, 'return is overdue', 'returns are overdue'),
      to: '/returns?state=OVERDUE',
      tone: 'bad' as const,
    },
    {
      count: due,
      words: plural(due, 'return is to be filed', 'returns are to be filed'),
      to: '/returns?state=DUE',
      tone: 'wait' as const,
    },
  ].filter((r) => r.count > 0);
}

export function Attention({ attention }: { readonly attention: Waiting }) {
  const { ready } = usePsp();
  const rows = [...rowsOf(attention), ...useReturnRows()];
  /** Over all PSPs first to a choice of those at which it waits. */
  const target = (r: Row) => (r.figure === undefined || ready ? r.to : `/waiting?figure=${r.figure}`);
  const licences = attention.endingLicences;
  return (
    <Panel title={say('Needs attention')}>
      {rows.length + licences.length === 0 ? (
        <div className={classes.calm}>
          <IconCircleCheck size={28} stroke={1.4} aria-hidden />
          <div>
            <Text fw={600}>{say('Nothing waits')}</Text>
            <Text size="sm" c="dimmed">
              {say('No webhook fails, no line is in suspense, no licence ends soon; the journal is sealed.')}
            </Text>
          </div>
        </div>
      ) : (
        <ul className={classes.list}>
          {rows.map((r) => (
            <li key={r.words} data-tone={r.tone}>
              <span className={classes.count}>{r.count.toLocaleString(locale)}</span>
              <Anchor component={Link} to={target(r)} size="sm">
                {r.words}
              </Anchor>
            </li>
          ))}
          {licences.map((l) => (
            <li key={`${l.clientId} ${l.activity}`} data-tone="wait">
              <span className={classes.count}>{dayInWords(l.validUntil)}</span>
              <Text size="sm" span>
                {rich('A licence of {client} ends: {activity}', {
                  client: <ClientName id={l.clientId} known={l.clientName} link />,
                  activity: inWords(l.activity),
                })}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

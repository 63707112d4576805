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
import { type WaitingFigure, waitingFigures } from './waiting-figures.ts';

type Waiting = OverviewData['attention'];

interface Row {
  readonly count: number;
  /** After the number. */
  readonly words: string;
  readonly to: string;
  readonly tone: 'bad' | 'wait' | 'note';
}

/** Sealing runs every second; a longer lag is worth a look. */
const lagS = 30;

/** @param ready whether the figures are of one PSP; over all, those that a page shows of one lead to the PSPs at which it waits */
function rowsOf(a: Waiting, ready: boolean): Row[] {
  const of = (figure: WaitingFigure) => {
    const { to, ofPsp } = waitingFigures[figure];
    return { count: a[figure] ?? 0, to: ready || !ofPsp ? to : `/waiting?figure=${figure}` };
  };
  const rows: Row[] = [
    {
      count: a.backgroundProcesses === 0 ? 1 : 0,
      words: say('background process is missing: nothing is delivered, reported or totalled'),
      to: '/webhooks',
      tone: 'bad',
    },
    {
      ...of('disabledWebhooks'),
      words: plural(a.disabledWebhooks, 'webhook is disabled', 'webhooks are disabled'),
      tone: 'bad',
    },
    { ...of('failingWebhooks'), words: plural(a.failingWebhooks, 'webhook fails', 'webhooks fail'), tone: 'bad' },
    {
      ...of('exhaustedDeliveries'),
      words: plural(a.exhaustedDeliveries, 'delivery failed', 'deliveries failed'),
      tone: 'bad',
    },
    { ...of('openReviews'), words: plural(a.openReviews ?? 0, 'review is open', 'reviews are open'), tone: 'wait' },
    { ...of('overdueCases'), words: plural(a.overdueCases ?? 0, 'case is overdue', 'cases are overdue'), tone: 'bad' },
    { ...of('openCases'), words: plural(a.openCases ?? 0, 'case is open', 'cases are open'), tone: 'wait' },
    {
      ...of('openMatches'),
      words: plural(a.openMatches ?? 0, 'match of a list is open', 'matches of lists are open'),
      tone: 'wait',
    },
    {
      ...of('disputesDue'),
      words: plural(a.disputesDue, 'dispute needs evidence within 7 days', 'disputes need evidence within 7 days'),
      tone: 'wait',
    },
    {
      count: a.openProposals ?? 0,
      words: plural(a.openProposals ?? 0, 'proposal waits for a second person', 'proposals wait for a second person'),
      to: '/approvals',
      tone: 'wait',
    },
    {
      ...of('cdrLinesInSuspense'),
      words: plural(a.cdrLinesInSuspense, 'call record line in suspense', 'call record lines in suspense'),
      tone: 'wait',
    },
    {
      ...of('cdrFilesInWork'),
      words: plural(a.cdrFilesInWork, 'call record file in work', 'call record files in work'),
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
  const rows = [...rowsOf(attention, ready), ...useReturnRows()];
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
              <Anchor component={Link} to={r.to} size="sm">
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

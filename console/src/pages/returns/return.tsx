// A return shown as the authority's form: its boxes, the lines behind each, corrections, downloads, and filing it.

import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { useFilters, usePath } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { Unfetched } from '../../layout/unfetched.tsx';
import { say } from '../../words/words.ts';
import { ReportProgress } from '../reports/report-progress.tsx';
import { SectionPanel } from '../reports/section.tsx';
import { type Document, inLanguage, inWork, worded } from '../reports/shown.ts';
import { Boxes } from './boxes.tsx';
import { FileButton } from './file-button.tsx';
import { HeadFacts } from './head-facts.tsx';
import { MissingRates } from './missing-rates.tsx';
import classes from './return.module.css';
import { above, type LeftOut, leftOut, ofReturn } from './shown.ts';

type Made = Content<'getReport'>;
/** What the one-stop shop has in place of boxes. */
const ofShop = ['balances', 'supplies', 'kindUnknown', 'corrections', 'tooOld'] as const;
/** Sections that are shown where they have lines; `return` and `boxes` have panels of their own. */
const ifAny = ['adjustments', 'notConverted', 'outside', 'fees', 'feeAdjustments', 'calls', 'registered'] as const;

export default function ReturnPage() {
  const reportId = usePath('reportId');
  const { data, error, refetch } = useOp('getReport', { reportId }, { every: 1_500, until: (r) => !inWork(r.state) });
  const json = useOp('getReportJson', { reportId }, { enabled: data?.state === 'DONE' });
  const document = json.data && worded(json.data, data?.manifest?.french);
  const { form, period } = data ? ofReturn(data.parameters) : {};
  if (!data) return <Unfetched title={say('Return')} above={above} error={error} refetch={refetch} />;
  const other = data.filedInstead;
  const left = leftOut(document?.facts ?? [], data.filed !== null);
  return (
    <>
      <PageHeader
        title={`${form ?? say('Return')}, ${period ?? ''}`}
        above={above}
        lead={<ClientName id={data.clientId} link />}
        beside={
          other ? (
            <StatusBadge status="FILED" label={other.period === period ? say('Filed already') : say('Filed in part')} />
          ) : (
            <State report={data} left={left} />
          )
        }
        actions={<Actions report={data} document={document} locked={other !== null} />}
      />
      <Stack>
        {inWork(data.state) ? (
          <Panel title={say('Being made')}>
            <ReportProgress report={data} />
          </Panel>
        ) : null}
        {data.state === 'FAILED' ? (
          <Alert color="brick" variant="light" title={say('This return could not be made')} role="alert">
            {data.reason}
          </Alert>
        ) : null}
        {data.provisional ? (
          <Alert color="brass" variant="light" icon={<IconInfoCircle size={20} aria-hidden />}>
            <Text size="sm">
              {say(
                'Provisional: the period has not ended, or not every record was counted yet. Make a new revision before it is filed.',
              )}
            </Text>
          </Alert>
        ) : null}
        {left.sentences.length > 0 ? (
          <Alert color="brass" variant="light" icon={<IconInfoCircle size={20} aria-hidden />}>
            {left.sentences.map((words) => (
              <Text key={words} size="sm">
                {words}
              </Text>
            ))}
            {form ? <MissingRates form={form} /> : null}
          </Alert>
        ) : null}
        {other ? (
          <Alert color="brass" variant="light" icon={<IconInfoCircle size={20} aria-hidden />}>
            <Text size="sm">
              {other.period === period
                ? say(
                    'The period was filed on {filedOn} as {reference}: what changed since is corrected in the next return.',
                    { filedOn: dayInWords(other.filedOn), reference: other.reference },
                  )
                : say(
                    'Days of this period were filed with {period} on {filedOn} as {reference}. This return counts them again and cannot be recorded as filed. What changed of them is corrected in the next return; days that were not filed need a return of their own.',
                    { period: other.period, filedOn: dayInWords(other.filedOn), reference: other.reference },
                  )}
            </Text>
          </Alert>
        ) : null}
        {json.error ? <Problem error={json.error} retry={() => void json.refetch()} /> : null}
        {data.state === 'DONE' && !json.data && !json.error ? <Loading /> : null}
        {document && json.data ? <Sections report={data} document={document} stored={json.data} /> : null}
      </Stack>
    </>
  );
}

interface StateProps {
  readonly report: Made;
  readonly left: LeftOut;
}

function State({ report: { state, provisional, filed }, left }: StateProps) {
  if (filed)
    return (
      <StatusBadge
        status="FILED"
        tone="good"
        label={say('Filed on {filedOn}', { filedOn: dayInWords(filed.filedOn) })}
      />
    );
  if (inWork(state)) return <StatusBadge status={state} />;
  if (provisional) return <StatusBadge status="PROVISIONAL" tone="wait" />;
  if (left.sentences.length > 0)
    return (
      <StatusBadge
        status="INCOMPLETE"
        tone="wait"
        label={left.isUntaxed ? say('Untaxed amounts missing') : say('Not complete')}
      />
    );
  return <StatusBadge status={state} label={state === 'DONE' ? say('Ready to file') : say('Failed')} />;
}

interface SectionsProps {
  readonly report: Made;
  readonly document: Document;
  /** The document as it is stored, in English. */
  readonly stored: Document;
}

function Sections({ report, document, stored }: SectionsProps) {
  const [{ box }, setFilters] = useFilters();
  const linesRef = useRef<HTMLDivElement>(null);
  // They are below all boxes, where who asked for them would not look.
  useEffect(() => {
    if (box !== undefined) linesRef.current?.scrollIntoView();
  }, [box]);
  const named = (name: string, of = document) => of.sections.find((s) => s.name === name);
  const csvOf = (name: string) => report.links?.csv.find((c) => c.section === name)?.href;
  const [head, boxes, lines] = [named('return'), named('boxes'), named('lines')];
  const storedHead = named('return', stored);
  const behind = (s: Document['sections'][number]) =>
    box === undefined
      ? s
      : {
          ...s,
          rows: s.rows.filter((r) =>
            String(r.boxes ?? '')
              .split('; ')
              .includes(box),
          ),
        };
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {head && storedHead ? <HeadFacts section={head} stored={storedHead} /> : null}
        <Panel title={say('In short')}>
          <Facts
            items={[
              ...document.facts.filter((f) => f.name !== 'form').map((f) => [f.title, f.value] as const),
              !!report.filed && [say('Filed on'), dayInWords(report.filed.filedOn)],
              !!report.filed && [say('Reference'), report.filed.reference],
              [say('Revision'), report.revision],
            ]}
          />
        </Panel>
      </SimpleGrid>
      {boxes ? (
        <Boxes
          section={boxes}
          behind={[lines, named('adjustments')]}
          csv={csvOf('boxes')}
          chosen={box}
          onChoose={(b) => setFilters({ box: b })}
        />
      ) : null}
      {ofShop.map((name) => {
        const section = named(name);
        if (!section || section.rows.length === 0) return null;
        return <SectionPanel key={name} section={section} csv={csvOf(name)} />;
      })}
      {lines ? (
        <div ref={linesRef} className={classes.lines}>
          <SectionPanel
            section={{
              ...behind(lines),
              ...(box === undefined ? {} : { title: say('Lines behind box {box}', { box }) }),
            }}
            csv={csvOf('lines')}
          />
        </div>
      ) : null}
      {ifAny.map((name) => {
        const section = named(name);
        if (!section || section.rows.length === 0) return null;
        return (
          <SectionPanel key={name} section={name === 'adjustments' ? behind(section) : section} csv={csvOf(name)} />
        );
      })}
    </>
  );
}

const Download = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <Button component="a" variant="default" href={href} download leftSection={<IconDownload size={16} aria-hidden />}>
    {children}
  </Button>
);

interface ActionsProps {
  readonly report: Made;
  readonly document: Document | undefined;
  /** Whether the period was filed with another report. */
  readonly locked: boolean;
}

function Actions({ report, document, locked }: ActionsProps) {
  const navigate = useNavigate();
  const rerun = useDo('rerunReport');
  const may = useMay('fileReturn');
  const { links, filed, state, reportId } = report;
  const boxes = links?.csv.find((c) => c.section === 'boxes')?.href;
  async function again() {
    const made = await rerun.mutateAsync({ reportId }).catch(() => undefined);
    if (made) await navigate({ to: `/returns/${made.reportId}` });
  }
  return (
    <Group gap="xs">
      {links ? (
        <>
          <Button component="a" variant="default" href={inLanguage(links.page)} target="_blank" rel="noreferrer">
            {say('Print')}
          </Button>
          {boxes ? <Download href={inLanguage(boxes)}>{say('CSV')}</Download> : null}
          {links.xlsx ? <Download href={inLanguage(links.xlsx)}>{say('XLSX')}</Download> : null}
        </>
      ) : null}
      {filed || inWork(state) ? null : (
        <Button variant="default" onClick={() => void again()} loading={rerun.isPending}>
          {say('New revision')}
        </Button>
      )}
      {may && !filed && !locked && state === 'DONE' && document ? (
        <FileButton report={report} document={document} />
      ) : null}
    </Group>
  );
}

// One report: its progress, or its figures with links to the rows, its downloads, hashes and revisions.

import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useIsTenant } from '../../data/clients.ts';
import { usePath } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { goToPsp } from '../../data/psp-address.ts';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { Unfetched } from '../../layout/unfetched.tsx';
import { locale } from '../../words/language.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { Manifest, Revisions } from './manifest.tsx';
import { ReportProgress } from './report-progress.tsx';
import { SectionPanel } from './section.tsx';
import { inLanguage, inWork, parameterName, useKinds, worded } from './shown.ts';

export type ReportDetail = Content<'getReport'>;
const above = [{ title: say('Reports'), to: '/reports' }];

export default function ReportPage() {
  const reportId = usePath('reportId');
  const { data, error, refetch } = useOp('getReport', { reportId }, { every: 1_500, until: (r) => !inWork(r.state) });
  const { titleOf } = useKinds();
  const { isOperator, ready } = usePsp();
  const isTenant = useIsTenant();
  const { data: located } = useOp('resolveId', { id: reportId }, { asOperator: true, enabled: isOperator && !ready });
  // Its lines lead to lists of its PSP.
  const owner = !ready && located?.pspId && isTenant(located.pspId) ? located.pspId : undefined;
  useEffect(() => {
    if (owner) goToPsp(owner, 'replace');
  }, [owner]);
  const json = useOp('getReportJson', { reportId }, { enabled: data?.state === 'DONE' });
  const document = json.data && worded(json.data, data?.manifest?.french);
  if (!data) return <Unfetched title={say('Report')} above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={document?.title ?? titleOf(data.kind)}
        above={above}
        beside={<StatusBadge status={data.state} />}
        actions={<Actions report={data} />}
      />
      <Stack>
        {inWork(data.state) ? (
          <Panel title={say('Being made')}>
            <ReportProgress report={data} />
          </Panel>
        ) : null}
        {data.state === 'FAILED' ? (
          <Alert color="brick" variant="light" title={say('This report could not be made')} role="alert">
            {data.reason}
          </Alert>
        ) : null}
        {data.provisional ? (
          <Alert color="brass" variant="light" icon={<IconInfoCircle size={20} aria-hidden />}>
            <Text size="sm">{say('Provisional: the period has not ended, or not every entry was counted yet.')}</Text>
          </Alert>
        ) : null}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <About report={data} />
          {document ? (
            <Panel title={say('Facts')}>
              <Facts items={document.facts.map((f) => [f.title, f.value] as const)} />
            </Panel>
          ) : null}
        </SimpleGrid>
        {json.error ? <Problem error={json.error} retry={() => void json.refetch()} /> : null}
        {data.state === 'DONE' && !json.data && !json.error ? <Loading /> : null}
        {document?.sections.map((s) => (
          <SectionPanel key={s.name} section={s} csv={data.links?.csv.find((c) => c.section === s.name)?.href} />
        ))}
        {data.manifest ? <Manifest manifest={data.manifest} /> : null}
        <Revisions report={data} />
      </Stack>
    </>
  );
}

function Actions({ report }: { readonly report: ReportDetail }) {
  const navigate = useNavigate();
  const rerun = useDo('rerunReport');
  const { links } = report;
  async function again() {
    const made = await rerun.mutateAsync({ reportId: report.reportId }).catch(() => undefined);
    if (made) await navigate({ to: `/reports/${made.reportId}` });
  }
  return (
    <Group gap="xs">
      {links ? (
        <>
          <Button component="a" href={inLanguage(links.page)} target="_blank" rel="noreferrer">
            {say('Printable page')}
          </Button>
          <Button
            component="a"
            variant="default"
            href={links.json}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {say('JSON')}
          </Button>
          {report.kind === 'filing' || report.kind === 'oneStopShop' ? (
            <Button component={Link} variant="default" to={`/returns/${report.reportId}`}>
              {say('Shown as a return')}
            </Button>
          ) : null}
          {links.xlsx ? (
            <Button
              component="a"
              variant="default"
              href={inLanguage(links.xlsx)}
              download
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {say('XLSX')}
            </Button>
          ) : null}
          {links.xml ? (
            <Button
              component="a"
              variant="default"
              href={links.xml}
              download
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {say('XML')}
            </Button>
          ) : null}
        </>
      ) : null}
      {inWork(report.state) ? null : (
        <Button variant="default" onClick={() => void again()} loading={rerun.isPending}>
          {say('New revision')}
        </Button>
      )}
    </Group>
  );
}

function About({ report: r }: { readonly report: ReportDetail }) {
  return (
    <Panel title={say('Request')}>
      <Facts
        items={[
          [say('Account'), <ClientName key="w" id={r.clientId} link />],
          ...Object.entries(r.parameters).map(([k, v]) => [parameterName(k), String(v)] as const),
          [say('Revision'), r.revision],
          [say('Requested'), <Stamp key="c" at={r.createdAt} show="both" />],
          [say('Made'), <Stamp key="f" at={r.finishedAt} />],
          !!r.asOf && [
            say('As of'),
            <span key="a">
              {rich('{time}, journal entry {journalSeq}', {
                time: <Stamp at={r.asOf.time} />,
                journalSeq: r.asOf.journalSeq.toLocaleString(locale),
              })}
            </span>,
          ],
        ]}
      />
    </Panel>
  );
}

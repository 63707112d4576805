// Reports that are made again and again: which, when next, and their end.

import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { tagOf } from '../../data/assay.ts';
import { useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { type Rhythm, RhythmFields, rhythmInWords, type Schedule } from './rhythm.tsx';
import { inShort, useKinds } from './shown.ts';

export default function Schedules() {
  const pages = usePages('listReportSchedules', {});
  const { titleOf } = useKinds();
  const end = useDo('endReportSchedule', { done: say('The schedule has ended') });
  const { user } = useMe();
  // The service decides: others who look change and end their own alone.
  const mayChange = (s: Schedule) => ['administrator', 'reviewer'].includes(user.role) || s.createdBy === user.userId;
  return (
    <>
      <PageHeader
        title={say('Scheduled reports')}
        above={[{ title: say('Reports'), to: '/reports' }]}
        lead={say('Made by themselves at their times. Each is announced by webhook to the PSP as report.completed.')}
        actions={
          <Button component={Link} to="/reports/new?repeat=MONTH">
            {say('Schedule a report')}
          </Button>
        }
      />
      <Panel title={say('All schedules')} flush>
        <DataTable
          label={say('Schedules')}
          pages={pages}
          rowKey={(s) => s.scheduleId}
          empty={
            <Empty title={say('No schedule yet')}>
              {say('Schedule the reports that somebody asks for every month.')}
            </Empty>
          }
          columns={[
            {
              key: 'kind',
              header: say('Report'),
              cell: (s) => (
                <Anchor component={Link} to={`/reports?scheduleId=${s.scheduleId}`} fw={600} size="sm">
                  {titleOf(s.kind)}
                </Anchor>
              ),
            },
            { key: 'about', header: say('About'), cell: (s) => inShort(s.parameters) },
            { key: 'client', header: say('Account'), cell: (s) => <ClientName id={s.clientId} /> },
            { key: 'when', header: say('When'), cell: (s) => rhythmInWords(s) },
            { key: 'next', header: say('Next'), cell: (s) => <Next schedule={s} /> },
            {
              key: 'acts',
              header: say('Actions'),
              cell: (s) =>
                s.state === 'ACTIVE' && mayChange(s) ? (
                  <Group gap="xs" wrap="nowrap">
                    <Change schedule={s} />
                    <ConfirmButton
                      label={say('End')}
                      question={say('End this schedule?')}
                      size="xs"
                      variant="default"
                      onConfirm={() => end.mutateAsync({ scheduleId: s.scheduleId })}
                    >
                      {say('No further report is made. Those that were made stay.')}
                    </ConfirmButton>
                  </Group>
                ) : null,
            },
          ]}
        />
      </Panel>
    </>
  );
}

function Next({ schedule: s }: { readonly schedule: Schedule }) {
  if (s.state === 'ENDED') return <StatusBadge status="ENDED" tone="quiet" label={say('Ended')} />;
  return (
    <>
      <Stamp at={s.nextAt} />
      {s.problem === null ? null : (
        <Text size="xs" c="brick">
          {rich('The last one was not made: {problem}', { problem: s.problem })}
        </Text>
      )}
    </>
  );
}

function Change({ schedule: { scheduleId } }: { readonly schedule: Schedule }) {
  const [opened, { open, close }] = useDisclosure(false);
  // A list has no tag of each schedule.
  const { data, error, refetch } = useOp('getReportSchedule', { scheduleId }, { enabled: opened });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Change')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Change the schedule')}>
        {error ? <Problem error={error} retry={() => void refetch()} /> : null}
        {data ? <ChangeForm schedule={data} close={close} /> : null}
      </Modal>
    </>
  );
}

function ChangeForm({ schedule, close }: { readonly schedule: Schedule; readonly close: () => void }) {
  const [rhythm, setRhythm] = useState<Rhythm>(schedule);
  const [basedOn] = useState(() => tagOf(schedule));
  const change = useDo('changeReportSchedule', { basedOn, done: say('Schedule changed') });
  async function submit(event: FormEvent) {
    event.preventDefault();
    const { every, onDay, hour, timeZone, covers } = rhythm;
    const day = onDay === null ? {} : { onDay };
    const body = { scheduleId: schedule.scheduleId, every, ...day, hour, timeZone, covers };
    const done = await change.mutateAsync(body).catch(() => undefined);
    if (done) close();
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{rhythmInWords(rhythm)}</Text>
        <RhythmFields value={rhythm} onChange={setRhythm} />
        <DialogActions label={say('Save')} busy={change.isPending} onCancel={close} />
      </Stack>
    </form>
  );
}

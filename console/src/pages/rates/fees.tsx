// The fee schedule: the service's own fees, the narrowest matching row first; ends a row or proposes one.

import { Group } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { percent } from '../../data/amounts.ts';
import { useMay } from '../../data/session.tsx';
import { useDo, usePropose } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { ProposeFee } from './propose-fee.tsx';
import { daysText, inOneWord } from './rule.ts';

interface Fee {
  readonly feeId: string;
  readonly pspId: string | null;
  readonly operations: readonly string[];
  readonly classifications: readonly string[];
  readonly countries: readonly string[];
  readonly currency?: string;
  readonly percent: string;
  readonly fixed?: string;
  readonly min?: string;
  readonly max?: string;
  readonly validFrom: string;
  readonly validTo: string | null;
}

const anyOf = (values: readonly string[]) => (values.length === 0 ? say('any') : values.join(', '));

export function Fees() {
  const { data, error, isPending, refetch } = useOp('listFees', {}, { asOperator: true });
  const may = useMay('openProposal');
  const ends = useMay('endFee');
  const end = useDo('endFee', { asOperator: true, done: say('The fee row is ended') });
  const propose = usePropose();
  const rows = data?.items as unknown as readonly Fee[] | undefined;
  return (
    <Panel title={say('Fee rows in force')} actions={may ? <ProposeFee /> : null} flush>
      <DataTable
        label={say('Fee rows')}
        pages={{ rows, error: error ?? undefined, loading: isPending, retry: () => void refetch() }}
        rowKey={(f) => f.feeId}
        empty={<Empty title={say('No fee rows')} />}
        columns={[
          { key: 'fee', header: say('Row'), cell: (f) => f.feeId },
          {
            key: 'psp',
            header: 'PSP',
            cell: (f) => (f.pspId ? <Id value={f.pspId} what={say('PSP id')} /> : say('every')),
          },
          { key: 'ops', header: say('Operations'), cell: (f) => anyOf(f.operations.map(inOneWord)) },
          {
            key: 'class',
            header: say('Classifications'),
            cell: (f) => anyOf(f.classifications.map(inWords)),
            wideOnly: true,
          },
          { key: 'where', header: say('Countries'), cell: (f) => anyOf(f.countries), wideOnly: true },
          {
            key: 'fee%',
            header: say('Fee'),
            align: 'right',
            cell: (f) => `${percent(f.percent)}${f.fixed ? ` + ${f.fixed} ${f.currency ?? ''}` : ''}`,
          },
          {
            key: 'from',
            header: say('In force'),
            cell: daysText,
          },
          {
            key: 'act',
            header: '',
            align: 'right',
            cell: (f) =>
              may ? (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <ConfirmButton
                    label={say('Propose its end')}
                    size="xs"
                    question={say('Propose to end the fee row {feeId}?', { feeId: f.feeId })}
                    reason="required"
                    onConfirm={(reason) => propose.mutateAsync({ reason, feeEnd: { feeId: f.feeId } })}
                  >
                    {say('Another person has to approve it; until then it prices as before.')}
                  </ConfirmButton>
                  {ends ? (
                    <ConfirmButton
                      label={say('End')}
                      size="xs"
                      danger
                      question={say('End the fee row {feeId}?', { feeId: f.feeId })}
                      reason="required"
                      onConfirm={(reason) => end.mutateAsync({ feeId: f.feeId, reason })}
                    >
                      {say('What was priced with it keeps it as evidence; the next wider row takes its place.')}
                    </ConfirmButton>
                  ) : null}
                </Group>
              ) : null,
          },
        ]}
      />
    </Panel>
  );
}

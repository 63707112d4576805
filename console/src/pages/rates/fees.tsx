// The fee schedule: the service's own fees, the narrowest matching row first; ends a row or proposes one.
import { Group } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo, usePropose } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { ProposeFee } from './propose-fee.tsx';

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

const anyOf = (values: readonly string[]) => (values.length === 0 ? 'any' : values.join(', '));

export function Fees() {
  const { data, error, isPending, refetch } = useOp('listFees', {}, { asOperator: true });
  const may = useMay('administrator');
  const end = useDo('endFee', { asOperator: true, done: 'The fee row is ended' });
  const propose = usePropose();
  const rows = data?.items as unknown as readonly Fee[] | undefined;
  return (
    <Panel title="Fee rows in force" actions={may ? <ProposeFee /> : null} flush>
      <DataTable
        label="Fee rows"
        pages={{ rows, error: error ?? undefined, loading: isPending, retry: () => void refetch() }}
        rowKey={(f) => f.feeId}
        empty={<Empty title="No fee rows" />}
        columns={[
          { key: 'fee', header: 'Row', cell: (f) => f.feeId },
          { key: 'psp', header: 'PSP', cell: (f) => (f.pspId ? <Id value={f.pspId} what="PSP id" /> : 'every') },
          { key: 'ops', header: 'Operations', cell: (f) => anyOf(f.operations) },
          { key: 'class', header: 'Classifications', cell: (f) => anyOf(f.classifications), wideOnly: true },
          { key: 'where', header: 'Countries', cell: (f) => anyOf(f.countries), wideOnly: true },
          {
            key: 'fee%',
            header: 'Fee',
            align: 'right',
            cell: (f) => `${f.percent} %${f.fixed ? ` + ${f.fixed} ${f.currency ?? ''}` : ''}`,
          },
          { key: 'from', header: 'In force', cell: (f) => `${f.validFrom} to ${f.validTo ?? 'further notice'}` },
          {
            key: 'act',
            header: '',
            align: 'right',
            cell: (f) =>
              may ? (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <ConfirmButton
                    label="Propose its end"
                    size="xs"
                    question={`Propose to end the fee row ${f.feeId}?`}
                    reason="required"
                    onConfirm={(reason) => propose.mutateAsync({ reason, feeEnd: { feeId: f.feeId } })}
                  >
                    Another person has to approve it; until then it prices as before.
                  </ConfirmButton>
                  <ConfirmButton
                    label="End"
                    size="xs"
                    danger
                    question={`End the fee row ${f.feeId}?`}
                    reason="required"
                    onConfirm={(reason) => end.mutateAsync({ feeId: f.feeId, reason })}
                  >
                    What was priced with it keeps it as evidence; the next wider row takes its place.
                  </ConfirmButton>
                </Group>
              ) : null,
          },
        ]}
      />
    </Panel>
  );
}

// The transaction a review is about: its split, and a link to its page.

import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { countryName } from '../../data/countries.ts';
import { usePsp } from '../../data/psp.tsx';
import { pageOf } from '../../data/psp-address.ts';
import { usePsps } from '../../data/psps.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { say } from '../../words/words.ts';
import { Waterfall } from '../transactions/waterfall.tsx';
import { typeName } from '../transactions/words.ts';
import type { Review } from './state.tsx';

interface Props {
  readonly review: Review;
  readonly transactionId: string;
}

export function OfTransaction({ review: r, transactionId }: Props) {
  const { isOperator } = usePsp();
  const { data: psps } = usePsps();
  const options = isOperator ? { pspId: r.pspId } : {};
  const { data: t, error, refetch } = useOp('getTransaction', { transactionId }, options);
  const psp = psps?.find((p) => p.pspId === r.pspId);
  return (
    <Panel
      title={say('The transaction')}
      actions={
        <Button component={Link} to={pageOf(r.pspId, `/transactions/${transactionId}`)} variant="default" size="xs">
          {say('Open transaction')}
        </Button>
      }
    >
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {t ? (
        <Stack>
          <Waterfall transaction={t} />
          <Facts
            columns={2}
            items={[
              [
                say('Status'),
                <Group key="status" gap={4}>
                  <StatusBadge status={t.status} />
                  {t.chargeback ? <StatusBadge status="CHARGED_BACK" /> : null}
                </Group>,
              ],
              [say('Ref'), t.ref],
              [say('Type'), typeName(t.type)],
              [say('Country'), countryName(t.countryCode)],
              isOperator && ['PSP', psp?.name ?? <Id key="psp" value={r.pspId} />],
              [say('Client'), <Id key="client" value={t.clientId} what={say('client id')} />],
              [say('Recorded'), <Stamp key="at" at={t.createdAt} />],
            ]}
          />
        </Stack>
      ) : error ? null : (
        <Loading />
      )}
    </Panel>
  );
}

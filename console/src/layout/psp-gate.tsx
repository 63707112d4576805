// Pages of a PSP's records wait until an operator has chosen one; those of the whole service do not.
import { Button, Group } from '@mantine/core';
import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from '../components/empty.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { usePsp } from '../data/psp.tsx';
import { usePsps } from '../data/psps.ts';
import { navigation } from './navigation.ts';

export function PspGate({ children }: { readonly children: ReactNode }) {
  const { ready } = usePsp();
  const last = useMatches({ select: (matches) => matches.at(-1) });
  const needs = last?.staticData.ofPsp === true;
  if (ready || !needs) return children;
  const row = navigation.flatMap((g) => g.rows).find((r) => r.to !== '/' && last?.fullPath.startsWith(r.to));
  return <ChoosePsp title={row?.title ?? 'Records of a PSP'} />;
}

function ChoosePsp({ title }: { readonly title: string }) {
  const { choose } = usePsp();
  const { data, error, refetch } = usePsps();
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  return (
    <>
      <PageHeader title={title} />
      <Empty
        title={data?.length === 0 ? 'There is no PSP yet' : 'Choose a PSP'}
        action={
          <Group justify="center" gap="xs" mt="sm">
            {data?.slice(0, 8).map((p) => (
              <Button key={p.pspId} variant="default" onClick={() => choose(p)}>
                {p.name}
              </Button>
            ))}
          </Group>
        }
      >
        {data?.length === 0
          ? 'It appears here when it is created with POST /v1/admin/psp or `assay psp create`.'
          : 'These records belong to one PSP each. Choose whose to look at; the list at the top changes it.'}
      </Empty>
    </>
  );
}

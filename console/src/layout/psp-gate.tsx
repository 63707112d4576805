// Pages that show a PSP's records wait until an operator has chosen one; service-wide pages do not. People of PSPs, clients
// and authorities have the pages that work for them.

import { Button, Group } from '@mantine/core';
import { useMatches } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { Empty } from '../components/empty.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { lastChoice, usePsp } from '../data/psp.tsx';
import { goToPsp } from '../data/psp-address.ts';
import { usePsps } from '../data/psps.ts';
import { useMe } from '../data/session.tsx';
import { say } from '../words/words.ts';
import { Loading } from './loading.tsx';
import { navigation } from './navigation.ts';
import { NotFound } from './not-found.tsx';

export function PspGate({ children }: { readonly children: ReactNode }) {
  const { ready } = usePsp();
  const match = useMatches({ select: (matches) => matches.at(-1) });
  const { kind } = useMe().account;
  const needs = match?.staticData.ofPsp === true;
  const { forClients, forAuthorities, forStaff } = match?.staticData ?? {};
  const doors = [
    [kind === 'client', forClients],
    [kind === 'authority', forAuthorities],
    [kind === 'operator', forStaff],
  ] as const;
  const missing = match !== undefined && doors.some(([isTheirs, open]) => open === (isTheirs ? false : 'alone'));
  // A URL without a PSP, such as a typed one, continues with the tab's last choice.
  const last = needs && !ready ? lastChoice() : undefined;
  useEffect(() => {
    if (last) goToPsp(last, 'replace');
  }, [last]);
  if (missing) return <NotFound />;
  if (ready || !needs) return children;
  if (last) return <Loading />;
  const row = navigation.flatMap((g) => g.rows).find((r) => r.to !== '/' && match?.fullPath.startsWith(r.to));
  return <ChoosePsp title={row?.title ?? say('Records of a PSP')} />;
}

function ChoosePsp({ title }: { readonly title: string }) {
  const { choose } = usePsp();
  const { data, error, refetch } = usePsps();
  if (error)
    return (
      <>
        <PageHeader title={title} />
        <Problem error={error} retry={() => void refetch()} />
      </>
    );
  return (
    <>
      <PageHeader title={title} />
      <Empty
        title={data?.length === 0 ? say('There is no PSP yet') : say('Choose a PSP')}
        action={
          <Group justify="center" gap="xs" mt="sm">
            {data?.slice(0, 8).map((p) => (
              <Button key={p.pspId} variant="default" onClick={() => choose(p.pspId)}>
                {p.name}
              </Button>
            ))}
          </Group>
        }
      >
        {data?.length === 0
          ? say('An administrator creates it on the page PSPs.')
          : say('These records belong to one PSP each. Choose whose to look at; the list at the top changes it.')}
      </Empty>
    </>
  );
}

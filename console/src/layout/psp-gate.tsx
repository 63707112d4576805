// Pages that show a PSP's records wait until an operator has chosen one; service-wide pages do not. People of clients and
// authorities have the pages that work for them.

import { useMatches } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { lastChoice, usePsp } from '../data/psp.tsx';
import { goToPsp } from '../data/psp-address.ts';
import { useMe } from '../data/session.tsx';
import { say } from '../words/words.ts';
import { Loading } from './loading.tsx';
import { navigation } from './navigation.ts';
import { NotFound } from './not-found.tsx';

const ChoosePsp = lazy(() => import('./choose-psp.tsx'));

export function PspGate({ children }: { readonly children: ReactNode }) {
  const { ready } = usePsp();
  const match = useMatches({ select: (matches) => matches.at(-1) });
  const { kind } = useMe().account;
  const needs = match?.staticData.ofPsp === true;
  const { forClients, forAuthorities } = match?.staticData ?? {};
  const doors = [
    [kind === 'client', forClients],
    [kind === 'authority', forAuthorities],
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
  return (
    <Suspense fallback={<Loading />}>
      <ChoosePsp title={row?.title ?? say('Records of a PSP')} />
    </Suspense>
  );
}

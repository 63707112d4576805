// The PSP's clients by name: for lists that contain only ids, and for selecting one.
import { useMemo } from 'react';
import { usePsp } from './psp.tsx';
import { useChosenPsp } from './psps.ts';
import { useMe } from './session.tsx';
import { useOp } from './use-op.ts';

/** One page of the list; clients beyond it are shown by id. */
const limit = 200;

/** Returns a client's name, or undefined if it is not among the newest. */
export function useClientNames(): (clientId: string) => string | undefined {
  const { ready } = usePsp();
  const chosen = useChosenPsp();
  const { account } = useMe();
  const isClient = account.kind === 'client';
  const { data } = useOp('listClients', { limit }, { enabled: ready && !isClient });
  return useMemo(() => {
    const names = new Map(data?.items.map((c) => [c.clientId, c.registeredName]));
    if (chosen) names.set(chosen.pspId, chosen.name);
    if (account.kind !== 'operator') names.set(account.accountId, account.name);
    return (clientId) => names.get(clientId);
  }, [data, chosen, account]);
}

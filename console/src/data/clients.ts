// The clients of the PSP by name: for lists that give ids only, and for choosing one.
import { useMemo } from 'react';
import { usePsp } from './psp.tsx';
import { useChosenPsp } from './psps.ts';
import { useOp } from './use-op.ts';

/** As many as one page of the list holds; of further ones the id is shown. */
const limit = 200;

/** Gives a client's name, or undefined where it is not among the newest ones. */
export function useClientNames(): (clientId: string) => string | undefined {
  const { ready } = usePsp();
  const chosen = useChosenPsp();
  const { data } = useOp('listClients', { limit }, { enabled: ready });
  return useMemo(() => {
    const names = new Map(data?.items.map((c) => [c.clientId, c.registeredName]));
    if (chosen) names.set(chosen.pspId, chosen.name);
    return (clientId) => names.get(clientId);
  }, [data, chosen]);
}

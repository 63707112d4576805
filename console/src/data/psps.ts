// The PSPs an operator may look at, by name; accounts for tests say so.
import { useQuery } from '@tanstack/react-query';
import { assay } from './assay.ts';
import { type ChosenPsp, usePsp } from './psp.tsx';

const most = 1_000;

export function usePsps() {
  const { isOperator } = usePsp();
  return useQuery<readonly ChosenPsp[]>({
    queryKey: ['psps'],
    enabled: isOperator,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const found: ChosenPsp[] = [];
      for await (const a of assay.pages('listAccounts', { kind: 'psp', limit: 200 }, { signal })) {
        found.push({ pspId: a.clientId, name: a.test ? `${a.registeredName} (test)` : a.registeredName });
        if (found.length === most) break;
      }
      return found.sort((a, b) => a.name.localeCompare(b.name));
    },
  });
}

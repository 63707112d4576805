// The PSPs an operator may see, by name; test accounts are marked.

import { useQuery } from '@tanstack/react-query';
import { say } from '../words/words.ts';
import { assay } from './assay.ts';
import { usePsp } from './psp.tsx';
import { shownText } from './shown-text.ts';
import { most } from './use-op.ts';

export interface NamedPsp {
  readonly pspId: string;
  readonly name: string;
  /** Whether it is a test tenant. */
  readonly isTest?: boolean | undefined;
}

export function usePsps() {
  const { isOperator } = usePsp();
  return useQuery<readonly NamedPsp[]>({
    queryKey: ['psps'],
    enabled: isOperator,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const found: NamedPsp[] = [];
      for await (const a of assay.pages('listAccounts', { kind: 'psp', limit: 200 }, { signal })) {
        const name = shownText(a.registeredName);
        found.push({ pspId: a.clientId, name: a.test ? say('{name} (test)', { name }) : name, isTest: a.test });
        if (found.length === most) break;
      }
      return found.sort((a, b) => a.name.localeCompare(b.name));
    },
  });
}

/** The PSP the operator has chosen; its id if the name is not known. */
export function useChosenPsp(): NamedPsp | undefined {
  const { pspId } = usePsp();
  const { data } = usePsps();
  return pspId ? (data?.find((p) => p.pspId === pspId) ?? { pspId, name: pspId }) : undefined;
}

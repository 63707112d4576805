// The PSPs an operator may see, by name; test accounts are marked.

import { useQuery } from '@tanstack/react-query';
import { say } from '../words/words.ts';
import { assay, type Content } from './assay.ts';
import { usePsp } from './psp.tsx';
import { useMe } from './session.tsx';
import { shownText } from './shown-text.ts';
import { most, useOp } from './use-op.ts';

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
        found.push(named(a));
        if (found.length === most) break;
      }
      return found.sort((a, b) => a.name.localeCompare(b.name));
    },
  });
}

/** The PSP the operator has chosen; its id until the name is known. */
export function useChosenPsp(): NamedPsp | undefined {
  const { pspId } = usePsp();
  const { data } = usePsps();
  const listed = data?.find((p) => p.pspId === pspId);
  // An older one than those that are listed.
  const enabled = pspId !== undefined && data !== undefined && !listed;
  const own = useOp('getClient', { clientId: pspId ?? '' }, { enabled }).data;
  if (pspId === undefined) return undefined;
  return listed ?? (own ? named(own) : { pspId, name: pspId });
}

/** The account that a person of a PSP or client works for; undefined for others, and until it is known. */
export function useOwnAccount(): NamedPsp | undefined {
  const { account } = useMe();
  const enabled = account.kind === 'psp' || account.kind === 'client';
  const own = useOp('getClient', { clientId: account.accountId }, { enabled }).data;
  return own ? named(own) : undefined;
}

/** The PSPs that are listed; where there are more, before them some whose name or registration number has what was typed. */
export function usePspsNamed(typed: string): { readonly psps: readonly NamedPsp[]; readonly loading: boolean } {
  const { data: psps = [] } = usePsps();
  const enabled = typed !== '' && psps.length >= most;
  const { data, isFetching } = useOp(
    'listAccounts',
    { kind: 'psp', q: typed, limit: 20 },
    { enabled, asOperator: true },
  );
  const known = new Set(psps.map((p) => p.pspId));
  const more = (data?.items ?? []).map(named).filter((p) => !known.has(p.pspId));
  return { psps: [...more, ...psps], loading: isFetching };
}

const named = (a: Pick<Content<'getClient'>, 'clientId' | 'registeredName' | 'test'>): NamedPsp => {
  const name = shownText(a.registeredName);
  return { pspId: a.clientId, name: a.test ? say('{name} (test)', { name }) : name, isTest: a.test };
};

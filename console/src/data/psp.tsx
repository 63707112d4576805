// The PSP whose records are shown: named in the URL, sent with every call that operator staff make.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import { goToPsp, history, pspInAddress } from './psp-address.ts';
import { useSession } from './session.tsx';

interface PspState {
  /** Sent with calls: the operator's choice; undefined for a PSP's own people. */
  readonly pspId: string | undefined;
  readonly isOperator: boolean;
  /** A PSP is chosen, or the person belongs to one, so records can be shown. */
  readonly ready: boolean;
  /** Goes to the same page of a PSP; of all PSPs if undefined. */
  choose(pspId: string | undefined): void;
}

const Context = createContext<PspState | undefined>(undefined);

/** The tab's last choice, for PSP pages whose URL names none. */
const place = 'assay-psp';

export function lastChoice(): string | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null') as { pspId?: unknown } | null;
    return typeof kept?.pspId === 'string' ? kept.pspId : undefined;
  } catch {
    return undefined;
  }
}

function remember(pspId: string | undefined): void {
  if (pspId) sessionStorage.setItem(place, JSON.stringify({ pspId }));
  else sessionStorage.removeItem(place);
}

export function PspProvider({ children }: { readonly children: ReactNode }) {
  const { session } = useSession();
  const queries = useQueryClient();
  const named = useSyncExternalStore((changed) => history.subscribe(changed), pspInAddress);
  const isOperator = session?.account.kind === 'operator';
  const own = session && !isOperator ? session.account.accountId : undefined;
  const isPsp = session?.account.kind === 'psp';
  const known = session != null;
  useEffect(() => {
    if (!known) return;
    if (own) {
      if (isPsp && named !== own) goToPsp(own, 'replace');
      return;
    }
    if (named) remember(named);
  }, [known, own, isPsp, named]);
  const value = useMemo<PspState>(() => {
    const chosen = isOperator ? named : undefined;
    return {
      pspId: chosen,
      isOperator,
      ready: !isOperator || chosen !== undefined,
      choose(pspId) {
        remember(pspId);
        void queries.cancelQueries();
        goToPsp(pspId, 'push');
      },
    };
  }, [named, isOperator, queries]);
  return <Context value={value}>{children}</Context>;
}

export function usePsp(): PspState {
  const state = useContext(Context);
  if (!state) throw new Error('usePsp is used outside of PspProvider');
  return state;
}

// The PSP whose records an operator looks at: chosen once, kept for the browser's tab, sent with every call.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useSession } from './session.tsx';

export interface ChosenPsp {
  readonly pspId: string;
  readonly name: string;
}

interface PspState {
  /** To be sent with calls: an operator's choice; undefined for the people of a PSP, whose own it is. */
  readonly pspId: string | undefined;
  readonly chosen: ChosenPsp | undefined;
  readonly isOperator: boolean;
  /** Records of a PSP can be shown: one is chosen, or the person belongs to one. */
  readonly ready: boolean;
  choose(psp: ChosenPsp | undefined): void;
}

const Context = createContext<PspState | undefined>(undefined);
const place = 'assay-psp';

function remembered(): ChosenPsp | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null') as ChosenPsp | null;
    return typeof kept?.pspId === 'string' && typeof kept.name === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function PspProvider({ children }: { readonly children: ReactNode }) {
  const { session } = useSession();
  const queries = useQueryClient();
  const [choice, setChoice] = useState(remembered);
  const isOperator = session?.account.kind === 'operator';
  const value = useMemo<PspState>(() => {
    const chosen = isOperator ? choice : undefined;
    return {
      pspId: chosen?.pspId,
      chosen,
      isOperator,
      ready: !isOperator || chosen !== undefined,
      choose(psp) {
        if (psp) sessionStorage.setItem(place, JSON.stringify(psp));
        else sessionStorage.removeItem(place);
        void queries.cancelQueries();
        setChoice(psp);
      },
    };
  }, [choice, isOperator, queries]);
  return <Context value={value}>{children}</Context>;
}

export function usePsp(): PspState {
  const state = useContext(Context);
  if (!state) throw new Error('usePsp is used outside of PspProvider');
  return state;
}

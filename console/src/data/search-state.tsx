// Whether the search and the list of keys are open; opened from anywhere in the console.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

type Open = 'search' | 'keys' | undefined;

interface SearchState {
  readonly open: Open;
  show(what: Open): void;
}

const Context = createContext<SearchState | undefined>(undefined);

export function SearchProvider({ children }: { readonly children: ReactNode }) {
  const [open, show] = useState<Open>();
  const value = useMemo(() => ({ open, show }), [open]);
  return <Context value={value}>{children}</Context>;
}

export function useSearchState(): SearchState {
  const state = useContext(Context);
  if (!state) throw new Error('useSearchState is used outside of SearchProvider');
  return state;
}

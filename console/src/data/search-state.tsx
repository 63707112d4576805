// Whether the search and the list of keys are open; opened from anywhere in the console.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useMe } from './session.tsx';

type Open = 'search' | 'keys' | undefined;

interface SearchState {
  readonly open: Open;
  /** Whether the person may search at all: people of authorities have their lists. */
  readonly hasSearch: boolean;
  show(what: Open): void;
}

const Context = createContext<SearchState | undefined>(undefined);

export function SearchProvider({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<Open>();
  const hasSearch = useMe().account.kind !== 'authority';
  const value = useMemo(
    () => ({ open, hasSearch, show: (what: Open) => setOpen(what === 'search' && !hasSearch ? undefined : what) }),
    [open, hasSearch],
  );
  return <Context value={value}>{children}</Context>;
}

export function useSearchState(): SearchState {
  const state = useContext(Context);
  if (!state) throw new Error('useSearchState is used outside of SearchProvider');
  return state;
}

/**
 * Whether a dialog is to be open. It opens after it was mounted, also where it is loaded to be opened: then it knows where
 * the focus was, and gives it back.
 */
export function useIsOpen(what: Exclude<Open, undefined>): boolean {
  const { open } = useSearchState();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(open === what), [open, what]);
  return isOpen;
}

// Whether the search and the list of keys are open; opened from anywhere in the console.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

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

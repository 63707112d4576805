// The keys that work on every page: they open the search and the list of keys, and lead to pages.
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useSearchState } from '../data/search-state.tsx';
import { useMe } from '../data/session.tsx';
import { navigationOf } from './navigation.ts';

/** Pages by the letter that follows g. */
export function usePageKeys(): readonly { readonly letter: string; readonly to: string; readonly title: string }[] {
  const { account } = useMe();
  return useMemo(
    () =>
      navigationOf(account)
        .flatMap((g) => g.rows)
        .flatMap((r) => (r.letter ? [{ letter: r.letter, to: r.to, title: r.title }] : [])),
    [account],
  );
}

/** Time within which the letter after a `g` must follow. */
const pauseMs = 1_500;

/** A key pressed in a field belongs to the field. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName) || target.role === 'combobox');

export function useShortcuts(): void {
  const { show } = useSearchState();
  const navigate = useNavigate();
  const pageKeys = usePageKeys();
  const begun = useRef<number>(0);
  useEffect(() => {
    function press(e: KeyboardEvent) {
      if ((e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === 'k') {
        e.preventDefault();
        show('search');
        return;
      }
      // In a dialog the keys are those of the dialog.
      const within = document.querySelector('[role="dialog"]') !== null;
      if (e.ctrlKey || e.metaKey || e.altKey || isTyping(e.target) || within) return;
      const waits = e.timeStamp - begun.current < pauseMs;
      begun.current = 0;
      const page = waits ? pageKeys.find((p) => p.letter === e.key) : undefined;
      if (page) void navigate({ to: page.to });
      else if (e.key === 'g') begun.current = e.timeStamp;
      else if (e.key === '/') show('search');
      else if (e.key === '?') show('keys');
      else return;
      e.preventDefault();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [show, navigate, pageKeys]);
}

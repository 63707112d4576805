// A long table that is loaded already, shown a portion at a time.
import { useState } from 'react';
import type { Paged } from '../components/plain-table.tsx';

/** The rows that are shown, and how more are. @param portion rows at first, and more at a time */
export function usePortions<T>(rows: readonly T[], portion: number): Paged<T> {
  const [shown, setShown] = useState(portion);
  return { rows: rows.slice(0, shown), more: shown < rows.length, loadMore: () => setShown((n) => n + portion) };
}

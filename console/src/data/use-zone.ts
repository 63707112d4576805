// The time zone of the page: in the URL, so that a link shows everybody the same rows and times; UTC if it names none.
import { useSearch } from '@tanstack/react-router';
import { useFilters } from './path.ts';
import { zoneOf } from './zone.ts';

/** The zone of the page, for everything that shows a time. */
export const useZone = (): string => zoneOf(useSearch({ strict: false }) as { zone?: string });

/** The zone, and how to choose another one. The address names none for UTC (data/psp-address.ts). */
export function useZoneChoice(): [string, (zone: string) => void] {
  const [filters, set] = useFilters();
  return [zoneOf(filters), (zone) => set({ zone })];
}

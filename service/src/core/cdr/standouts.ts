// Callers that stand out as SIM-boxes do, by what was counted of them. What is told is what was seen: a call centre, a
// taxi rank or a shop may look the same, so that no verdict follows from it.
import { manyReceiversPercent, oneWayPercent, outsizedCallsADay } from './thresholds.ts';

/** What a number did on one day. */
export interface CallerDay {
  readonly date: string;
  /** Calls made, and to how many numbers. */
  readonly made: number;
  readonly receivers: number;
  /** Calls made of which the place is known, and how many places. */
  readonly placed: number;
  readonly places: number;
  readonly received: number;
}

export type Indicator = 'STATIC_LOCATION' | 'ONE_WAY' | 'SHARED_IMEI';

export interface Standout {
  readonly indicators: readonly Indicator[];
  /** Days on which more calls were made than a person makes, and what was counted on them. */
  readonly days: number;
  readonly made: number;
  readonly most: number;
  /** Of the day with most receivers and of the day with most places. */
  readonly receivers: number;
  readonly places: number;
  readonly received: number;
}

/**
 * @param days of one number
 * @param sharesDevice whether it calls from a device that many numbers call from
 * @returns undefined for a number that does not stand out by its calls
 */
export function standout(days: readonly CallerDay[], sharesDevice: boolean): Standout | undefined {
  const outsized = days.filter((d) => d.made >= outsizedCallsADay);
  if (outsized.length === 0) return undefined;
  const sum = (of: (d: CallerDay) => number) => outsized.reduce((n, d) => n + of(d), 0);
  const most = (of: (d: CallerDay) => number) => outsized.reduce((n, d) => Math.max(n, of(d)), 0);
  const [made, received, placed] = [sum((d) => d.made), sum((d) => d.received), sum((d) => d.placed)];
  const places = most((d) => d.places);
  const manyReceivers = sum((d) => d.receivers) * 100 >= made * manyReceiversPercent;
  const indicators: Indicator[] = [];
  if (manyReceivers && places === 1 && placed * 2 >= made) indicators.push('STATIC_LOCATION');
  if (received * 100 <= made * oneWayPercent) indicators.push('ONE_WAY');
  if (sharesDevice) indicators.push('SHARED_IMEI');
  if (indicators.length === 0) return undefined;
  return {
    indicators,
    days: outsized.length,
    made,
    most: most((d) => d.made),
    receivers: most((d) => d.receivers),
    places,
    received,
  };
}

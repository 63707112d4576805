// Callers whose figures resemble those of SIM-boxes. The result is a set of indicators, not a verdict: a call centre, a
// taxi rank or a shop may have the same figures.
import { manyReceiversPercent, oneWayPercent, outsizedCallsADay } from './thresholds.ts';

/** The figures of a number on one day. */
export interface CallerDay {
  readonly date: string;
  /** Calls made; `receivers` is the number of different numbers called. */
  readonly made: number;
  readonly receivers: number;
  /** Calls made from a known place; `places` is the number of different places. */
  readonly placed: number;
  readonly places: number;
  readonly received: number;
}

type Indicator = 'STATIC_LOCATION' | 'ONE_WAY' | 'SHARED_IMEI';

export interface Standout {
  readonly indicators: readonly Indicator[];
  /** Number of days with more calls than a person makes; the figures below are of these days. */
  readonly days: number;
  readonly made: number;
  readonly most: number;
  /** Most receivers on one day, and most places on one day. */
  readonly receivers: number;
  readonly places: number;
  readonly received: number;
}

/**
 * @param days days of one number
 * @param sharesDevice whether the number calls from a device that many numbers use
 * @returns undefined if the number shows no indicator
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

// Durations, sizes and counts in words. Pure.
import { type Said, said } from '../said.ts';

const day = 86_400;

/** 90061 becomes "1 d 1 h". */
export function durationInWords(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 60) return `${s} s`;
  const parts = [
    [Math.floor(s / day), 'd'],
    [Math.floor((s % day) / 3600), 'h'],
    [Math.floor((s % 3600) / 60), 'min'],
  ] as const;
  return parts
    .filter(([n]) => n > 0)
    .slice(0, 2)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}

/** 1536 becomes "1.5 KiB". */
export function bytesInWords(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let value = bytes;
  let at = 0;
  for (; value >= 1024 && at < units.length - 1; at++) value /= 1024;
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`;
}

export const counted = (n: number, one: string, many = `${one}s`): Said =>
  said`${n.toLocaleString('en')} ${n === 1 ? one : many}`;

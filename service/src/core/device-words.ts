// A browser and its system in words, from the name that the browser gives itself. It is shown to people and decides
// nothing: anybody can send any name.

import { capitalized } from './capitalized.ts';

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^(?:node|undici)\b/i, 'program on Node'],
  [/^python/i, 'program in Python'],
];

// Android names Linux too, and an iPhone names Mac OS.
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** @param agent the value of the header user-agent; null if there was none */
export function deviceInWords(agent: string | null): string {
  const named = (table: typeof browsers) => table.find(([pattern]) => pattern.test(agent ?? ''))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  if (browser === undefined) return system === undefined ? 'Unknown device' : `A browser on ${system}`;
  const words = system === undefined ? browser : `${browser} on ${system}`;
  return capitalized(words);
}

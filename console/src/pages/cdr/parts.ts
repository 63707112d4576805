// Parts shared by the pages of call records: their tabs, labels and formats.

import type { Tone } from '../../components/status-badge.tsx';
import type { SubPage } from '../../components/sub-pages.tsx';
import type { Content } from '../../data/assay.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';

export const cdrPages: readonly SubPage[] = [
  { to: '/cdr', title: say('Files') },
  { to: '/cdr/records', title: say('Records') },
  { to: '/cdr/analysis', title: say('Analysis') },
  { to: '/cdr/periods', title: say('Months') },
  { to: '/cdr/declarations', title: say('Declarations') },
  { to: '/cdr/logins', title: say('SFTP logins') },
];

export type CdrFile = Content<'listCdrFiles'>['items'][number];
export type FileState = CdrFile['state'];

export const fileStates = [
  'QUEUED',
  'PROCESSING',
  'ACCEPTED',
  'PARTIALLY_ACCEPTED',
  'REJECTED',
  'DUPLICATE_FILE',
] as const satisfies readonly FileState[];

export const fileTones: Readonly<Partial<Record<FileState, Tone>>> = {
  PARTIALLY_ACCEPTED: 'wait',
  DUPLICATE_FILE: 'quiet',
};

export const inWork = (state: FileState | undefined): boolean => state === 'QUEUED' || state === 'PROCESSING';

export const callTypes = ['VOICE', 'VIDEO', 'VOIP', 'SMS', 'MMS', 'USSD', 'DATA', 'UNCLASSIFIED'] as const;
export const callClasses = [
  'ONNET',
  'OFFNET',
  'INTL_OUT',
  'INTL_IN',
  'ROAMING',
  'SMS',
  'DATA',
  'VOIP',
  'SHORTCODE',
  'UNCLASSIFIED',
] as const;
export type CallClass = (typeof callClasses)[number];

const classNames: Readonly<Partial<Record<CallClass, string>>> = {
  ONNET: say('On-net'),
  OFFNET: say('Off-net'),
  INTL_OUT: say('International, out'),
  INTL_IN: say('International, in'),
  ROAMING: say('Roaming'),
  DATA: say('Data'),
  VOIP: say('VoIP'),
  SHORTCODE: say('Short code'),
  UNCLASSIFIED: say('Unclassified'),
};
export const className = (c: string): string => classNames[c as CallClass] ?? c;

const names: readonly [unit: string, bytes: number][] = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
];
export function size(bytes: number): string {
  const [unit, of] = names.find(([, n]) => bytes >= n) ?? ['B', 1];
  return `${(bytes / of).toLocaleString(locale, { maximumFractionDigits: 1 })} ${unit}`;
}

/** Formats seconds: 3720 is "1 h 2 min". */
export function duration(seconds: number): string {
  const h = Math.floor(seconds / 3600);
  const min = Math.floor((seconds % 3600) / 60);
  const s = seconds % 60;
  return [
    h ? `${h.toLocaleString(locale)} h` : '',
    min ? say('{min} min', { min }) : '',
    s || seconds === 0 ? `${s} s` : '',
  ]
    .filter(Boolean)
    .slice(0, 2)
    .join(' ');
}

/** A declaration that a later one of its month replaced is kept. */
export const declarationState = (current: boolean) =>
  current
    ? ({ status: 'CURRENT', tone: 'good', label: say('Current') } as const)
    : ({ status: 'SUPERSEDED', tone: 'quiet', label: say('Superseded') } as const);

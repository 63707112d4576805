// A status in one word, never shown by colour alone.
import { capitalized } from '../data/capitalized.ts';
import { countryName } from '../data/countries.ts';
import { codeWord, say } from '../words/words.ts';
import { Nothing } from './nothing.tsx';
import classes from './status-badge.module.css';

export type Tone = 'good' | 'bad' | 'wait' | 'note' | 'quiet';

/** Tones of the API's status words; others are neutral unless a tone is given. */
const tones: Readonly<Record<string, Tone>> = {
  APPROVED: 'good',
  ACTIVE: 'good',
  ACCEPTED: 'good',
  CLEARED: 'good',
  DELIVERED: 'good',
  DONE: 'good',
  READY: 'good',
  COMPLETE: 'good',
  COMPLETED: 'good',
  VERIFIED: 'good',
  SUCCEEDED: 'good',
  WON: 'good',
  CHARGEBACK_REVERSED: 'good',
  DECLINED: 'bad',
  SUSPENDED: 'bad',
  CLOSED: 'bad',
  FAILED: 'bad',
  REJECTED: 'bad',
  DISABLED: 'bad',
  EXHAUSTED: 'bad',
  CONFIRMED: 'bad',
  HIGH: 'bad',
  ESCALATED: 'bad',
  OVERDUE: 'bad',
  MEDIUM: 'wait',
  IN_REVIEW: 'note',
  REVOKED: 'bad',
  EXPIRED: 'bad',
  CHARGED_BACK: 'bad',
  LOST: 'bad',
  PENDING: 'wait',
  QUEUED: 'wait',
  RETRYING: 'wait',
  PAUSED: 'wait',
  HELD: 'wait',
  SUSPENSE: 'wait',
  OPEN: 'wait',
  PROPOSED: 'wait',
  PROCESSING: 'note',
  RUNNING: 'note',
  DELIVERING: 'note',
  STARTED: 'note',
  ASSIGNED: 'note',
  IN_PROGRESS: 'note',
};

/** Words that are not written small. */
const written: Readonly<Record<string, string>> = {
  ...{
    aml: 'AML',
    api: 'API',
    cdr: 'CDR',
    ggr: 'GGR',
    kyc: 'KYC',
    pep: 'PEP',
    psp: 'PSP',
    sar: 'SAR',
    sftp: 'SFTP',
    str: 'STR',
  },
  ...{ http: 'HTTP', mb: 'MB', mcc: 'MCC', mms: 'MMS', sms: 'SMS', ussd: 'USSD', voip: 'VoIP' },
  ...{ tin: 'TIN', vat: 'VAT', wht: 'WHT', ecomm: say('E-commerce'), igaming: 'iGaming' },
};

/** SOME_WORD as a label: Some word, or its word in the chosen language; a rule of one country names the country. */
export const inWords = (code: string): string => {
  const word = codeWord(code);
  if (word) return word;
  const [, rule, country] = /^(STRUCTURING|TRAVEL_RULE|STAKES_LARGE)_([A-Z]{2})$/.exec(code) ?? [];
  if (rule && country) return `${inWords(rule)}, ${countryName(country)}`;
  if (code === 'BY_HAND') return say('Manual');
  const [first = '', ...rest] = code.toLowerCase().split('_');
  const begin = written[first] ?? capitalized(first);
  return [begin, ...rest.map((w) => written[w] ?? w)].join(' ');
};

interface Props {
  readonly status: string | null | undefined;
  readonly tone?: Tone;
  /** Replaces the default wording. */
  readonly label?: string;
}

export function StatusBadge({ status, tone, label }: Props) {
  if (!status) return <Nothing />;
  return (
    <span className={classes.badge} data-tone={tone ?? tones[status.toUpperCase()] ?? 'quiet'}>
      {label ?? inWords(status)}
    </span>
  );
}

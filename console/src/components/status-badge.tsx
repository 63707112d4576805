// A status in one word, never shown by colour alone.
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

/** SOME_WORD as a label: Some word, or its word in the chosen language. */
export const inWords = (code: string) => {
  const word = codeWord(code);
  if (word) return word;
  if (code === 'BY_HAND') return say('Manual');
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
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

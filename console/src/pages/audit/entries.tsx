// How a journal entry is shown: its title, its tone, its changes, and its actor.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { inWords, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { fieldNames, kinds, recordKinds, steps } from './words.ts';

type Entry = Content<'listJournal'>['items'][number];

interface Actor {
  readonly account: string;
  readonly by: string;
  readonly name?: string | null;
}

/** `client.updated` that placed a hold is "Hold placed". */
export function titleOf({ kind, step = null }: { readonly kind: string; readonly step?: string | null }): string {
  const known = (step === null ? undefined : steps[step]) ?? kinds[kind] ?? recordKinds[kind];
  return known?.replace(/ \(.*\)$/, '') ?? inWords(kind.replace('.', ' '));
}

const bad = /suspend|closed|hold_placed|revok|declin|disabl|reject|erased|charged|failed/;
const good = /approv|resum|reactivat|hold_released|enabl|creat|register/;

export const toneOf = ({ kind, step = null }: { readonly kind: string; readonly step?: string | null }): Tone => {
  const words = (step ?? kind).toLowerCase();
  return bad.test(words) ? 'bad' : good.test(words) ? 'good' : 'note';
};

/** The person's name if the service knows it, else the key or program that made the call. */
export const byWhom = (actor: Actor): ReactNode =>
  actor.name ?? (/^[a-z-]+$/.test(actor.by) ? 'The service' : actor.by);

/** Each field before and after. */
export function Changes({ entry: e }: { readonly entry: Pick<Entry, 'changes'> }) {
  if (e.changes.length === 0) return null;
  return (
    <>
      {e.changes.map((c) => (
        <Text key={c.field} inherit component="div">
          {fieldNames[c.field] ?? inWords(c.field)}: {inText(c.before)} → {inText(c.after)}
        </Text>
      ))}
    </>
  );
}

function inText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((v) => inWords(String(v))).join(', ');
  if (value === null || value === undefined || value === '') return 'none';
  const text = String(value);
  return /^[A-Z_]+$/.test(text) ? inWords(text) : text;
}

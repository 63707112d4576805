// How a journal entry is shown: its title, its tone, its changes, and its actor.

import type { TaxProfile } from '@assay/client';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Beneath } from '../../components/beneath.tsx';
import { inWords, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { profileChanges } from '../../data/tax-words.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { sentenceOf } from './sentences.ts';
import { fieldNames, kinds, readInWords, recordKinds, steps } from './words.ts';

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
  actor.name ?? (/^[a-z-]+$/.test(actor.by) ? say('The service') : actor.by);

/** The kind of act, and below it a sentence, who did it to whom, and what changed by it. */
export function Deed({ entry: e, account }: { readonly entry: Entry; readonly account: string }) {
  const who = byWhom(e.actor);
  const read = readInWords(e);
  const sentence = typeof who === 'string' ? sentenceOf(e, who, account) : undefined;
  return (
    <>
      {titleOf(e)}
      {sentence ? <Beneath>{sentence}</Beneath> : null}
      {read ? <Beneath>{read}</Beneath> : null}
      {e.changes.length > 0 ? (
        <Beneath>
          <Changes entry={e} />
        </Beneath>
      ) : null}
    </>
  );
}

/** Each field before and after. */
export function Changes({ entry: e }: { readonly entry: Pick<Entry, 'changes'> }) {
  if (e.changes.length === 0) return null;
  return (
    <>
      {e.changes.flatMap(linesOf).map((l) => (
        <Text key={l.key} inherit component="div">
          {rich('{name}: {before} → {after}', {
            name: l.name,
            before: l.before ?? say('none'),
            after: l.after ?? say('none'),
          })}
        </Text>
      ))}
    </>
  );
}

function linesOf({ field, before, after }: Entry['changes'][number]) {
  if (field === 'taxProfiles') return profileChanges(profilesIn(before), profilesIn(after));
  return [{ key: field, name: fieldNames[field] ?? inWords(field), before: inText(before), after: inText(after) }];
}

const profilesIn = (value: unknown) => (Array.isArray(value) ? (value as readonly TaxProfile[]) : []);

const oneInText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : inWords(String(value)));

function inText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? say('none') : value.map(oneInText).join(', ');
  if (value === null || value === undefined || value === '') return say('none');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /^[A-Z_]+$/.test(text) ? inWords(text) : text;
}

// How a journal entry is shown: its title, its tone, its changes, and its actor.

import type { TaxProfile } from '@assay/client';
import { Text } from '@mantine/core';
import { Beneath } from '../../components/beneath.tsx';
import { inWords, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useByWhom } from '../../data/people.ts';
import { profileChanges } from '../../data/tax-words.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { sentenceOf } from './sentences.ts';
import { fieldNames, kinds, readInWords, recordKinds, steps } from './words.ts';

type Entry = Content<'listJournal'>['items'][number];

interface Stepped {
  readonly kind: string;
  readonly step?: string | null;
  readonly changes?: Entry['changes'];
}

/** The hold that an accepted licence brings along begins when the licence ends: until then the licence is what was done. */
function stepOf({ step = null, changes = [] }: Stepped): string | null {
  const holds = changes.find((c) => c.field === 'holds');
  if (step !== 'HOLD_PLACED' || !holds) return step;
  const before = [...codesIn(holds.before)];
  const placed = codesIn(holds.after).filter((code) => {
    const at = before.indexOf(code);
    if (at >= 0) before.splice(at, 1);
    return at < 0 || code === licenceCode;
  });
  return placed.every((code) => code === licenceCode) ? 'LICENCE_ACCEPTED' : step;
}
const licenceCode = 'LICENCE_EXPIRED';
const codesIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** `client.updated` that placed a hold is "Hold placed". */
export function titleOf(e: Stepped): string {
  const { kind } = e;
  const step = stepOf(e);
  const known = (step === null ? undefined : steps[step]) ?? kinds[kind] ?? recordKinds[kind];
  return known?.replace(/ \(.*\)$/, '') ?? inWords(kind.replace('.', ' '));
}

const bad = /suspend|closed|hold_placed|revok|declin|disabl|reject|erased|charged|failed/;
const good = /approv|accepted|resum|reactivat|hold_released|enabl|creat|register/;

export const toneOf = (e: Stepped): Tone => {
  const words = (stepOf(e) ?? e.kind).toLowerCase();
  return bad.test(words) ? 'bad' : good.test(words) ? 'good' : 'note';
};

/** The kind of act, and below it a sentence, who did it to whom, and what changed by it. */
export function Deed({ entry: e, account }: { readonly entry: Entry; readonly account: string }) {
  const read = readInWords(e);
  const sentence = sentenceOf({ kind: e.kind, step: stepOf(e) }, useByWhom()(e.actor), account);
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

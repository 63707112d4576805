// How a journal entry is shown: its title, its tone, its changes, and its actor.

import type { TaxProfile } from '@assay/client';
import { Text } from '@mantine/core';
import { Beneath } from '../../components/beneath.tsx';
import { inWords, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { profileChanges } from '../../data/tax-words.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { sentenceOf } from './sentences.ts';
import { accountDeeds, fieldNames, kinds, readInWords, recordKinds, steps } from './words.ts';

type Entry = Content<'listJournal'>['items'][number];

interface Stepped {
  readonly kind: string;
  readonly step?: string | null;
  readonly changes?: Entry['changes'];
  readonly clientId: string;
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

/** `client.updated` that placed a hold is "Hold placed"; the same kind is of PSPs too. */
export function titleOf(e: Stepped): string {
  const { kind } = e;
  const words = { ...kinds, ...recordKinds, ...steps, ...accountDeeds[isIdOf('psp', e.clientId) ? 'psp' : 'client'] };
  return words[stepOf(e) ?? ''] ?? words[kind] ?? inWords(kind.replace('.', ' '));
}

// That a case ends, or that one of two persons does not agree, is nothing bad.
const bad = /suspend|(?<!case_)closed|hold_placed|_held|revok|declin|disabl|(?<!proposal_)reject|erased|charged|failed/;
const good = /approv|accepted|resum|reactivat|hold_released|enabl|creat|register/;

export const toneOf = (e: Stepped): Tone => {
  const words = (stepOf(e) ?? e.kind).toLowerCase();
  return bad.test(words) ? 'bad' : good.test(words) ? 'good' : 'note';
};

interface DeedProps {
  readonly entry: Entry;
  /** Name of who did it. */
  readonly by: string;
  /** Name of the account it was done to. */
  readonly account: string;
}

/** The kind of act, and below it a sentence, who did it to whom, and what changed by it. */
export function Deed({ entry: e, by, account }: DeedProps) {
  const read = readInWords(e);
  const sentence = sentenceOf({ kind: e.kind, step: stepOf(e) }, by, account);
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

/** Each field before and after; its name alone where the service gives no values. */
export function Changes({ entry: e }: { readonly entry: Pick<Entry, 'changes'> }) {
  if (e.changes.length === 0) return null;
  return (
    <>
      {e.changes.flatMap(linesOf).map((l) => (
        <Text key={l.key} inherit component="div">
          {l.nameOnly
            ? l.name
            : rich('{name}: {before} → {after}', {
                name: l.name,
                before: l.before ?? say('none'),
                after: l.after ?? say('none'),
              })}
        </Text>
      ))}
    </>
  );
}

interface Line {
  readonly key: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly nameOnly?: boolean;
}

function linesOf({ field, before, after }: Entry['changes'][number]): readonly Line[] {
  if (field === 'taxProfiles') return profileChanges(profilesIn(before), profilesIn(after));
  const worded = wordings[field] ?? String;
  const name = fieldNames[field] ?? inWords(field);
  const nameOnly = before === null && after === null;
  return [{ key: field, name, before: inText(before, worded), after: inText(after, worded), nameOnly }];
}

/** Fields that are codes; what people wrote, such as a name in capitals, is shown as it is. */
const wordings: Readonly<Record<string, (code: string) => string>> = {
  ...{ operationalStanding: inWords, verificationLevel: inWords, holds: inWords, classification: inWords },
  countryCode: countryName,
};

const profilesIn = (value: unknown) => (Array.isArray(value) ? (value as readonly TaxProfile[]) : []);

/** @param worded one value in words */
function inText(value: unknown, worded: (text: string) => string): string {
  const values = Array.isArray(value) ? value : [value ?? ''];
  const one = (v: unknown) => (typeof v === 'object' ? JSON.stringify(v) : worded(String(v)));
  return (
    values
      .filter((v) => v !== '')
      .map(one)
      .join(', ') || say('none')
  );
}

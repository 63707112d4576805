// How the holder of a log's key comes to the one that took its place: a signed note that names both. The key before signs it
// too, unless it leaked: then anybody may hold it, and the new key has to come from a source that is trusted.
import { Flaw } from './flaw.ts';
import { formatKey, openNote, type Primitives, parseKey, type VerifierKey, verifierKey } from './note.ts';
import { serviceOf } from './receipt.ts';

const heading = 'assay change of key 1';
const what = 'change of key';

/** Keys under the service's name, as `name+id+key`; of a log they are the same key pairs under the log's name. */
export interface KeyChange {
  readonly former: string;
  readonly next: string;
  /** ISO UTC. */
  readonly at: string;
  /** Until then both sign, ISO UTC; null if the former one ended at once. */
  readonly bothUntil: string | null;
}

export const keyChangeText = (c: KeyChange): string => `${heading}\n${JSON.stringify(c)}\n`;

/** The key of the service that a log's key is. */
export const serviceKey = (key: VerifierKey, p: Pick<Primitives, 'sha256'>): VerifierKey =>
  verifierKey(p.sha256, serviceOf(key.name), key.publicKey);

/** What a note says about a change; it must be signed by this key, the former or the next. */
export function openKeyChange(note: string, key: VerifierKey, p: Primitives): KeyChange | Flaw {
  const signer = serviceKey(key, p);
  const text = openNote(note, signer, p, what);
  if (text instanceof Flaw) return text;
  const [first, json = ''] = text.split('\n');
  if (first !== heading) return new Flaw('FORM', 'this is not a change of key, or one of a later form');
  return JSON.parse(json) as KeyChange;
}

/** The key that took the place of this one; the note must be signed by both. */
export function nextKey(note: string, key: VerifierKey, p: Primitives): VerifierKey | Flaw {
  const change = openKeyChange(note, key, p);
  if (change instanceof Flaw) return change;
  if (change.former !== formatKey(serviceKey(key, p)))
    return new Flaw('KEY', `the change is one of the key ${change.former}, not of ${formatKey(key)}`);
  const next = parseKey(p.sha256, change.next);
  if (next instanceof Flaw) return next;
  const confirmed = openNote(note, next, p, what);
  return confirmed instanceof Flaw ? confirmed : verifierKey(p.sha256, key.name, next.publicKey);
}

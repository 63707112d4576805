// What a webhook tells of a journal entry (Spec 6): the resource and what became of it, never who did it, on what
// grounds, or what is sealed.

import { expectKnown, parseExactly } from '../entry.ts';
import { publicData } from '../public-standing.ts';

/** The members told, in their order on the wire. */
const told = ['id', 'type', 'event', 'timestamp', 'clientId', 'version', 'schema', 'data'] as const;

export interface Announcement {
  /** The body as sent: the same bytes at every attempt. */
  readonly body: string;
  /** When it happened, ISO 8601 UTC. */
  readonly timestamp: string;
}

/**
 * The announcement of an entry that has a name on the wire.
 * Numbers keep the text they have in the journal; none passes through a double.
 * @param known schemas of entries that may be told: of others nobody here knows what is private in them
 * @throws UnknownEntry; an error when the entry's body lacks a member
 */
export function announcement(entryBody: string, known: readonly string[]): Announcement {
  const entry = parseExactly(entryBody) as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  for (const member of told) {
    // Entries of version 0.1 name none.
    if (member === 'schema' && entry.schema === undefined) continue;
    if (entry[member] === undefined) throw new Error(`the entry has no member '${member}'`);
    out[member] = member === 'data' ? publicData(entry.type as string, entry.data) : entry[member];
  }
  expectKnown(entry, known);
  return { body: JSON.stringify(out), timestamp: entry.timestamp as string };
}

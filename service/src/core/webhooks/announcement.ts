// What a webhook publishes of a journal entry (Spec 6): the resource and its change, never who made it, for what
// reasons, or what is sealed.

import { expectKnown, parseExactly } from '../entry.ts';
import { publicData } from '../public-standing.ts';

/** The published members, in wire order. */
const members = ['id', 'type', 'event', 'timestamp', 'clientId', 'version', 'schema', 'data'] as const;

export interface Announcement {
  /** The body as sent: the same bytes at every attempt. */
  readonly body: string;
  /** When it happened, ISO 8601 UTC. */
  readonly timestamp: string;
}

const withName = /^\{(?:"schema":"[^"]*",)?"id":"[^"]*","type":"[^"]*","event":/;
/** Whether an entry was written with a wire name: entries of a kind that was given one later have none. */
export const isAnnounced = (entryBody: string): boolean => withName.test(entryBody);

/**
 * The announcement of an entry that has a wire name. Numbers keep their text from the journal; none passes through a
 * double.
 * @param known schemas of entries that may be published: what is private in others is unknown here
 * @throws UnknownEntry; an Error if the entry's body lacks a member
 */
export function announcement(entryBody: string, known: readonly string[]): Announcement {
  const entry = parseExactly(entryBody) as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  for (const member of members) {
    // Entries of version 0.1 name no schema.
    if (member === 'schema' && entry.schema === undefined) continue;
    if (entry[member] === undefined) throw new Error(`the entry has no member '${member}'`);
    out[member] = member === 'data' ? publicData(entry.type as string, entry.data) : entry[member];
  }
  expectKnown(entry, known);
  return { body: JSON.stringify(out), timestamp: entry.timestamp as string };
}

// Reads the conditions that a request sets on what it changes: If-Match and If-None-Match (RFC 9110, 13.1).
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../../core/refusal.ts';
import { said } from '../../core/said.ts';
import type { Condition } from '../../modules/kernel/condition.ts';
import type { Operation } from '../../modules/kernel/operation.ts';

const oneTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/**
 * Undefined if the request sets none, or only reads.
 *
 * @throws QUERY_INVALID if a header is malformed; PRECONDITION if the operation has nothing to compare, for a condition that was
 * passed over would be taken for one that was met
 */
export function conditionOf(o: Operation, headers: IncomingHttpHeaders): Condition | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (o.method === 'GET' || (match === undefined && noneMatch === undefined)) return undefined;
  if (!o.conditional)
    throw refuse('PRECONDITION', "what this changes has no ETag: leave out the headers 'if-match' and 'if-none-match'");
  return { match: tagsIn('if-match', match), noneMatch: tagsIn('if-none-match', noneMatch) };
}

function tagsIn(name: string, value: string | undefined): readonly string[] | '*' | undefined {
  if (value === undefined || value === '*') return value;
  // A tag may hold a comma, so tags end at their second quotation mark.
  const tags = value.match(/[^\s,"]*"[^"]*"|[^\s,"]+/g) ?? [];
  if (tags.length === 0 || tags.length > 20 || !tags.every((tag) => oneTag.test(tag)))
    throw refuse(
      'QUERY_INVALID',
      said`the header '${name}' must be * or entity tags as the header ETag has them, with their double quotes`,
    );
  return tags;
}

// What the log of requests learns of a request: its caller, what was answered, its ref, and the field that a refusal names.
// Nothing else of what was sent: names that the caller made up may be personal, and so may what a sentence quotes.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { steeringCharacter } from '../../core/characters.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Operation } from '../../modules/kernel/operation.ts';
import type { RequestLog } from '../../modules/requests/index.ts';
import type { Entry } from './gate.ts';
import type { Schema } from './schema.ts';

const mostRef = 200;
const namesField = /(?:field|query parameter) '([^']{1,200})'/;

/** Names that an operation's schemas declare, at any depth. */
const declared = new WeakMap<Operation, ReadonlySet<string>>();

function collect(schema: Schema | undefined, names: Set<string>): Set<string> {
  if (!schema) return names;
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    names.add(name);
    collect(inner, names);
  }
  collect(schema.items, names);
  for (const inner of [...(schema.anyOf ?? []), ...Object.values(schema.patternProperties ?? {})])
    collect(inner, names);
  return names;
}

function namesOf(operation: Operation): ReadonlySet<string> {
  const known = declared.get(operation);
  if (known) return known;
  const names = collect(operation.query as Schema, collect(operation.body as Schema, new Set<string>()));
  declared.set(operation, names);
  return names;
}

/** The field or parameter that a refusal's sentence names, as far as the operation declares it. */
export function fieldNamed(operation: Operation, sentence: string): string | undefined {
  const path = namesField.exec(sentence)?.[1]?.split('.') ?? [];
  const names = namesOf(operation);
  const made = path.findIndex((part) => !names.has(part.replace(/(?:\[\d+\])+$/, '')));
  return (made < 0 ? path : path.slice(0, made)).join('.') || undefined;
}

/** The ref of a body or query, if the operation has one and it could be one. */
export function noteRef(entry: Entry, operation: Operation, ref: unknown): void {
  if (typeof ref !== 'string' || ref.length === 0 || ref.length > mostRef) return;
  if (namesOf(operation).has('ref') && steeringCharacter(ref) === undefined) entry.ref = ref;
}

export const refIn = (body: Json): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'ref') ? (body as JsonObject).ref : undefined;

export interface Answered {
  readonly status: number;
  readonly ms: number;
  /** The refusal's sentence. */
  readonly message?: string | undefined;
}

/** Does nothing for a caller that is not known. */
export function note(log: RequestLog, request: FastifyRequest, reply: FastifyReply, entry: Entry | null, a: Answered) {
  if (!entry) return;
  const code = reply.getHeader('x-error-code');
  log.note({
    id: request.id,
    principal: entry.principal,
    onBehalfOf: entry.onBehalfOf,
    method: request.method,
    route: entry.operation.path,
    status: a.status,
    code: typeof code === 'string' ? code : undefined,
    field: a.message === undefined ? undefined : fieldNamed(entry.operation, a.message),
    ref: entry.ref,
    ms: a.ms,
  });
}

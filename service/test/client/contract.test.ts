// Calls every operation of openapi.json through the client library: it succeeds, and its reply has the documented
// shape. Every journal entry that this writes is valid under its published JSON Schema, according to an independent validator.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Assay, type CallOptions, isRefusal, type OperationId } from '@assay/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventKinds } from '../../src/core/events.ts';
import { until } from '../durability/support/conditions.ts';
import { changesRates, ratesOf } from '../support/rates.ts';
import { calls } from './calls.ts';
import { more } from './entries-world.ts';
import { keepExample, writeExamples } from './reply-examples.ts';
import { differences, documentedIds, expandable, written } from './shape.ts';
import { makeWorld, type World } from './world.ts';

let w: World;
beforeAll(async () => {
  w = await makeWorld();
});
afterAll(() => w?.t.stop());
afterAll(writeExamples);

it('has a call of each operation, and of no other', () => {
  expect(Object.keys(calls).sort()).toEqual(documentedIds().sort());
});

/** The reply or the error; what is not sealed yet is asked for until it is. */
const settled = (by: Assay, id: OperationId, input: unknown, options: CallOptions | undefined) =>
  until(`${id} answers`, async () => {
    const answer = await by.reply(id, input as never, { retries: 0, ...options }).catch((e: Error) => e);
    return isRefusal(answer, 'NOT_SEALED') ? undefined : answer;
  });

// Before the calls below, some of which change the standing of the accounts.
describe('with every part of `expand`', () => {
  it.each(expandable())('%s answers with %s as it is documented', async (id, parts) => {
    const make = calls[id as OperationId] as (w: World) => Promise<readonly [Assay, unknown?, CallOptions?]>;
    const [by, input, options] = await make(w);
    const reply = await settled(by, id as OperationId, input, { ...options, expand: parts });
    if (reply instanceof Error) throw reply;
    expect(differences(id, reply.content)).toEqual([]);
    const said = JSON.stringify(reply.content);
    // These have no member of their own: they fill in members of the record.
    const named = parts.split(',').filter((part) => part !== 'personal');
    for (const part of named) expect(said).toContain(`"${id === 'getCdr' && part === 'tax' ? 'analysis' : part}":`);
  });
});

/** Operations whose call changed rates or what was taxed by them. */
const changed: string[] = [];

describe('through the client', () => {
  it.each(Object.keys(calls) as OperationId[])('%s succeeds and answers as it is documented', async (id) => {
    const [by, input, options] = await (calls[id] as (w: World) => Promise<readonly [Assay, unknown?, CallOptions?]>)(
      w,
    );
    const before = await ratesOf(w.t);
    const reply = await settled(by, id, input, options);
    if (reply instanceof Error) throw reply;
    if ((await ratesOf(w.t)) !== before) changed.push(id);
    expect(differences(id, reply.content)).toEqual([]);
    keepExample(id, reply.content);
    expect(reply.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('changes rates, and what was taxed by them, in no call but those for which two people can be required', () => {
    expect(changed.filter((id) => !changesRates.includes(id))).toEqual([]);
    expect(changed).toEqual(expect.arrayContaining(['loadTax', 'setFee', 'endFee', 'approveProposal']));
  });
});

describe('the comparison with the documentation', () => {
  it('finds a field that is missing, one that is not documented and one of another type', async () => {
    const session = await (await w.person()).session.getSession();
    expect(differences('getSession', session)).toEqual([]);
    const { csrfToken, ...without } = session;
    expect(differences('getSession', without).join()).toContain('csrfToken');
    expect(differences('getSession', { ...session, more: 1 }).join()).toContain('more');
    expect(differences('getSession', { ...session, csrfToken: 1 })).toHaveLength(1);
    expect(differences('getRejectedCsv', '')).toHaveLength(1);
  });
});

type Json = Record<string, unknown>;
interface Entry extends Json {
  readonly schema: string;
  readonly type: string;
}

const published = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/reference/entries.schema.json'), 'utf8'),
) as Json & { $defs: Record<string, Json> };
/** One entry of each schema, as it was written when the schema was published. */
const samplesFile = join(import.meta.dirname, '../support/fixtures/entries.json');
const samples: Record<string, Entry> = existsSync(samplesFile) ? JSON.parse(readFileSync(samplesFile, 'utf8')) : {};

/** With no room for fields that are not named. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const schema = written(part as Json, published.$defs);
  const inside = Object.fromEntries(Object.entries(schema).map(([k, v]) => [k, closed(v)]));
  const named = inside.type === 'object' && 'properties' in inside && !('additionalProperties' in inside);
  return named ? { ...inside, additionalProperties: false } : inside;
}

/** What is wrong with an entry, by the schema that it names. */
function validator(document: Json): (entry: Entry) => string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'entries');
  return (entry) => {
    const check = ajv.getSchema(`entries#/$defs/${entry.schema.replace('/', '~1')}`);
    if (!check) return [`${entry.schema} is not published`];
    return check(entry) ? [] : (check.errors ?? []).map((e) => `${entry.schema}${e.instancePath} ${e.message}`);
  };
}
const strict = validator({ ...published, $defs: closed(published.$defs) } as Json);
const lenient = validator(published);

/** What the calls above and `more` have written. */
describe('the journal', () => {
  let entries: Entry[];
  beforeAll(async () => {
    await more(w);
    const rows = await w.t.database.admin.query('SELECT body FROM journal ORDER BY id');
    entries = rows.map((r) => JSON.parse(r.body as string) as Entry);
  });
  afterAll(() => {
    if (process.env.ENTRY_SAMPLES !== 'write' || entries === undefined) return;
    const found = Object.groupBy(entries, (e) => e.schema);
    const kept = Object.entries(found).map(([schema, list]) => {
      // The longest says most.
      const [longest] = (list ?? []).toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
      const { sealed, subject, rows, ...rest } = longest as Entry;
      return [schema, rest] as const;
    });
    // Those there are stay, of former versions too.
    const all = Object.entries({ ...Object.fromEntries(kept), ...samples });
    writeFileSync(
      samplesFile,
      `{\n${all
        .sort()
        .map(([k, v]) => `${JSON.stringify(k)}: ${JSON.stringify(v)}`)
        .join(',\n')}\n}\n`,
    );
  });

  it('covers every kind of entry', () => {
    const written = new Set(entries.map((e) => e.type));
    expect(
      Object.keys(eventKinds).filter((kind) => !written.has(kind)),
      'no call writes these; drive them in entries-world.ts',
    ).toEqual([]);
  });

  it('finds each entry as its schema says, to the last field', () => {
    expect([...new Set(entries.flatMap(strict))]).toEqual([]);
  });

  it('finds each entry to be of one published schema only', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const any = ajv.compile(published);
    expect(entries.filter((e) => any(e) !== true).map(({ schema }) => schema)).toEqual([]);
  });
});

describe('a published schema', () => {
  it('has a sample of what was written when it was published', () => {
    const names = Object.keys(published.$defs).filter((name) => name.includes('/'));
    expect(
      names.filter((name) => samples[name] === undefined),
      'run this file with ENTRY_SAMPLES=write, and commit what it keeps',
    ).toEqual([]);
  });

  it('still describes it: what changes is a new version', () => {
    expect(Object.values(samples).flatMap(lenient)).toEqual([]);
  });

  it('is broken by a field that is missing, of another type, or not named', () => {
    for (const entry of Object.values(samples)) {
      const [name, value] = Object.entries(entry.data as Json)[0] as [string, unknown];
      const { [name]: _, ...without } = entry.data as Json;
      const wrong = typeof value === 'string' ? 1 : 'text';
      expect(strict({ ...entry, data: { ...(entry.data as Json), [name]: wrong } }), entry.schema).not.toEqual([]);
      expect(strict({ ...entry, data: { ...(entry.data as Json), ofNoSchema: 1 } }), entry.schema).not.toEqual([]);
      // The members of a change of rates are optional: it has what was changed.
      if (entry.type !== 'rates.changed') expect(strict({ ...entry, data: without }), entry.schema).not.toEqual([]);
    }
  });
});

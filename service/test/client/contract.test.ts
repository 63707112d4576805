// Calls every operation of openapi.json through the client library: it succeeds, and its reply has the documented
// shape.
import { type Assay, type CallOptions, isRefusal, type OperationId } from '@assay/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { calls } from './calls.ts';
import { keepExample, writeExamples } from './reply-examples.ts';
import { differences, documentedIds, expandable } from './shape.ts';
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

describe('through the client', () => {
  it.each(Object.keys(calls) as OperationId[])('%s succeeds and answers as it is documented', async (id) => {
    const [by, input, options] = await (calls[id] as (w: World) => Promise<readonly [Assay, unknown?, CallOptions?]>)(
      w,
    );
    const reply = await settled(by, id, input, options);
    if (reply instanceof Error) throw reply;
    expect(differences(id, reply.content)).toEqual([]);
    keepExample(id, reply.content);
    expect(reply.requestId).toMatch(/^[0-9a-f-]{36}$/);
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

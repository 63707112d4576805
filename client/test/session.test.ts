// The session of a person: what is sent along, where the token comes from, and that it is renewed by itself.
import { expect, it } from 'vitest';
import { Assay } from '../src/index.ts';

interface Seen {
  readonly call: string;
  readonly cookie: string | undefined;
  readonly token: string | undefined;
}

/** A service that signs in anybody and changes its token when told to. */
function service() {
  const seen: Seen[] = [];
  const state = { token: 'token-1', cookie: 'assay_session=s1' };
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    const headers = init.headers as Record<string, string>;
    const call = `${init.method} ${String(url)}`;
    seen.push({ call, cookie: headers.cookie, token: headers['x-csrf-token'] });
    const failed = (code: string, status: number) =>
      new Response(`{"success":false,"message":"${code}"}`, { status, headers: { 'x-error-code': code } });
    const signingIn = call === 'POST /v1/session';
    if (!signingIn && headers.cookie !== state.cookie) return failed('SESSION_INVALID', 401);
    if (!signingIn && init.method !== 'GET' && headers['x-csrf-token'] !== state.token) return failed('CSRF', 403);
    const content = call.endsWith('/v1/session') ? { csrfToken: state.token } : { items: [], nextCursor: null };
    return new Response(JSON.stringify({ success: true, message: '', content }), {
      headers: signingIn ? { 'set-cookie': `${state.cookie}; Path=/; HttpOnly; SameSite=Strict` } : {},
    });
  };
  return { assay: new Assay({ baseUrl: '', session: true, fetch }), seen, state };
}

const person = { email: 'ada@psp.example', password: 'correct horse' };
const note = { reviewId: 'rev_1', note: 'asked the client' };

it('brings along the cookie where the runtime keeps none, and the token with what changes something', async () => {
  const { assay, seen } = service();
  await assay.signIn(person);
  await assay.listClients();
  await assay.noteReview(note);
  expect(seen).toEqual([
    { call: 'POST /v1/session', cookie: undefined, token: undefined },
    { call: 'GET /v1/client', cookie: 'assay_session=s1', token: undefined },
    { call: 'POST /v1/review/rev_1/note', cookie: 'assay_session=s1', token: 'token-1' },
  ]);
});

it('asks for the token where a page begins with a session that is there', async () => {
  const { assay, seen, state } = service();
  state.cookie = undefined as unknown as string;
  await assay.noteReview(note);
  expect(seen.map((s) => [s.call, s.token])).toEqual([
    ['GET /v1/session', undefined],
    ['POST /v1/review/rev_1/note', 'token-1'],
  ]);
});

it('renews a token that another page made old, once', async () => {
  const { assay, seen, state } = service();
  await assay.signIn(person);
  state.token = 'token-2';
  await assay.noteReview(note);
  expect(seen.slice(1).map((s) => [s.call, s.token])).toEqual([
    ['POST /v1/review/rev_1/note', 'token-1'],
    ['GET /v1/session', undefined],
    ['POST /v1/review/rev_1/note', 'token-2'],
  ]);
  const before = seen.length;
  Object.defineProperty(state, 'token', { get: () => `token-${Math.floor(seen.length)}` });
  await expect(assay.noteReview(note)).rejects.toMatchObject({ code: 'CSRF', status: 403 });
  expect(seen.length - before).toBe(3);
});

it('forgets both at the end', async () => {
  const { assay, seen, state } = service();
  await assay.signIn(person);
  await assay.signOut();
  await expect(assay.listClients()).rejects.toMatchObject({ code: 'SESSION_INVALID' });
  state.cookie = 'assay_session=s2';
  state.token = 'token-9';
  await assay.signIn(person);
  await assay.noteReview(note);
  expect(seen.slice(2).map((s) => [s.cookie, s.token])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ['assay_session=s2', 'token-9'],
  ]);
});

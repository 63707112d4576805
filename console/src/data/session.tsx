// The signed-in person: fetched at the start, and again when the service answers that nobody is signed in.
import type { Input, OperationId } from '@assay/client';
import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import may from '../generated/may.json';
import { assay, type Content } from './assay.ts';

export type SignedIn = Content<'getSession'>;
/** A sign-in that waits for its second step. */
export type SecondStep = Extract<Content<'signIn'>, { challenge: string }>;
export type Role = SignedIn['user']['role'];

interface SessionState {
  /** Null if nobody is signed in, undefined until that is known. */
  readonly session: SignedIn | null | undefined;
  /** The service knows the session no longer: its person signs in again over the page, which keeps what was typed. */
  readonly ended: boolean;
  readonly error: Error | null;
  /** @returns what else is needed, if the password is not enough */
  signIn(email: string, password: string): Promise<SecondStep | undefined>;
  completeSignIn(input: Input<'completeSignIn'>): Promise<void>;
  signInWithPasskey(): Promise<void>;
  /** Ends a sign-in at a provider, if it led back here. @returns what else is needed */
  finishAtProvider(): Promise<SecondStep | undefined>;
  signOut(): Promise<void>;
  changePassword(currentPassword: string, newPassword: string): Promise<void>;
  /** Reads the session again, after a call that replaced it. */
  refresh(): Promise<void>;
  retry(): void;
}

const Context = createContext<SessionState | undefined>(undefined);
export const sessionKey = ['session'];
const endedKey = ['session', 'ended'];

const statusOf = (error: unknown): number | undefined => (error as { status?: number } | null)?.status;

/** Whether a failure means that nobody is signed in. */
export const isSignedOut = (error: unknown): boolean => statusOf(error) === 401;

/** Called when the service answers that nobody is signed in. */
export function noteEnd(queries: QueryClient): void {
  if (queries.getQueryData(sessionKey)) queries.setQueryData(endedKey, true);
  else queries.setQueryData(sessionKey, null);
}

/** The same person continues; before another one enters, everything that was read is removed. */
function enter(queries: QueryClient, session: SignedIn | null): void {
  const before = queries.getQueryData<SignedIn | null>(sessionKey);
  queries.setQueryData(endedKey, false);
  queries.setQueryData(sessionKey, session);
  if (session && session.user.userId === before?.user.userId) void queries.invalidateQueries({ predicate: isRead });
  else queries.removeQueries({ predicate: isRead });
}

const isRead = (q: Query): boolean => q.queryKey[0] !== sessionKey[0];

/** Tells the person's other tabs that they signed out, so that nothing of theirs is kept there, or in again. */
const tabs = new BroadcastChannel('assay-session');

function signedIn(queries: QueryClient, session: SignedIn): void {
  enter(queries, session);
  tabs.postMessage('in');
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const query = useQuery<SignedIn | null>({
    queryKey: sessionKey,
    queryFn: async ({ signal }) => {
      try {
        return await assay.getSession({}, { signal });
      } catch (error) {
        if (isSignedOut(error)) return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { data, error, refetch } = query;
  const ended = useQuery({ queryKey: endedKey, queryFn: () => false, enabled: false }).data === true;
  useEffect(() => {
    tabs.onmessage = async ({ data }) => {
      if (data === 'out') enter(queries, null);
      // A failure leaves the sign-in where it is.
      else enter(queries, await assay.getSession({}));
    };
  }, [queries]);
  const value = useMemo<SessionState>(
    () => ({
      session: data,
      ended,
      // Read again in vain, it stays what it was, and so does the page with what was typed.
      error: data === undefined ? error : null,
      async signIn(email, password) {
        const answer = await assay.signIn({ email, password });
        if ('challenge' in answer) return answer;
        signedIn(queries, answer);
        return undefined;
      },
      async completeSignIn(input) {
        signedIn(queries, await assay.completeSignIn(input));
      },
      async signInWithPasskey() {
        const { answerByPasskey } = await import('./passkeys.ts');
        signedIn(queries, await assay.signInWithPasskey({ passkey: await answerByPasskey() }));
      },
      async finishAtProvider() {
        const { forgetReturn, returned } = await import('./provider-sign-in.ts');
        try {
          const answer = await returned();
          if (answer === undefined) return undefined;
          if ('challenge' in answer) return answer;
          signedIn(queries, answer);
          return undefined;
        } finally {
          forgetReturn();
        }
      },
      async signOut() {
        await assay.signOut();
        tabs.postMessage('out');
        enter(queries, null);
      },
      async changePassword(currentPassword, newPassword) {
        await assay.changePassword({ currentPassword, newPassword });
        await queries.refetchQueries({ queryKey: sessionKey });
      },
      async refresh() {
        await queries.refetchQueries({ queryKey: sessionKey });
      },
      retry: () => void refetch(),
    }),
    [data, ended, error, queries, refetch],
  );
  return <Context value={value}>{children}</Context>;
}

export function useSession(): SessionState {
  const state = useContext(Context);
  if (!state) throw new Error('useSession is used outside of SessionProvider');
  return state;
}

/** The signed-in person; for pages, which nobody else sees. */
export function useMe(): SignedIn {
  const { session } = useSession();
  if (!session) throw new Error('useMe is used where nobody is signed in');
  return session;
}

/** Whom each operation is for that not everybody may call, as the service has it. */
const barred = new Map(may.flatMap((row) => row.operations.map((operation) => [operation, row] as const)));

/**
 * Whether an operation is for people of this kind of account and role; what is not is hidden. Staff act as a PSP too. The
 * service decides in any case.
 */
export function useMay(operation: OperationId): boolean {
  const { account, user } = useMe();
  const row = barred.get(operation);
  if (row === undefined) return true;
  const kinds: readonly string[] = account.kind === 'operator' ? ['operator', 'psp'] : [account.kind];
  return row.roles.includes(user.role) && row.audience.some((kind) => kinds.includes(kind));
}

/** Whether the person works for a client of a PSP: there is nothing of other clients, reviews, cases or lists for them. */
export const useIsClient = (): boolean => useMe().account.kind === 'client';

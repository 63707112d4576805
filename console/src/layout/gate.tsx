// What precedes the pages: sign-in, a required password change or second factor, then the frame. When a session ends, its
// person signs in over the page, which is hidden meanwhile and keeps what was typed.

import { Container, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Problem } from '../components/problem.tsx';
import { type SignedIn, useSession } from '../data/session.tsx';
import { say } from '../words/words.ts';
import { useFaultsFocused } from './focus-kept.ts';
import { Frame } from './frame.tsx';
import { useTypedKept } from './typed-kept.ts';

const SignIn = lazy(() => import('../pages/sign-in/sign-in.tsx'));
const SetUp = lazy(() => import('../pages/sign-in/set-up.tsx'));
const NewPassword = lazy(() => import('../pages/sign-in/new-password.tsx'));

/** Keeps its size, so that charts can be drawn meanwhile. */
const unseen = { position: 'fixed', inset: 0, overflow: 'hidden', visibility: 'hidden' } as const;

export function Gate({ children }: { readonly children: ReactNode }) {
  const { session, ended, error, retry } = useSession();
  useHiddenDialogs(ended);
  useFaultsFocused();
  useTypedKept();
  useFocusOnEntry(session);
  if (error)
    return (
      <Container size="xs" py="xl" component="main">
        <Title order={1} size="h2" mb="md">
          {say('The service cannot be reached')}
        </Title>
        <Problem error={error} retry={retry} />
      </Container>
    );
  if (session === undefined) return null;
  if (session === null)
    return (
      <Suspense>
        <SignIn />
      </Suspense>
    );
  if (session.user.mustChangePassword)
    return (
      <Suspense>
        <NewPassword />
      </Suspense>
    );
  if (session.user.mustSetUpSecondFactor)
    return (
      <Suspense>
        <SetUp />
      </Suspense>
    );
  return (
    <>
      <div {...(ended ? { style: unseen } : {})}>
        <Frame key={session.user.userId}>{children}</Frame>
      </div>
      {ended ? (
        <Suspense>
          <SignIn />
        </Suspense>
      ) : null}
    </>
  );
}

/** Who has signed in begins on the page, whose form of the way in is gone; a page that is loaded leaves the focus where it is. */
function useFocusOnEntry(session: SignedIn | null | undefined): void {
  const user = session?.user;
  const isIn = user && !user.mustChangePassword && !user.mustSetUpSecondFactor;
  const now = session === undefined ? undefined : isIn ? user.userId : null;
  const last = useRef(now);
  useEffect(() => {
    if (last.current !== undefined && now && last.current !== now)
      document.getElementById('main')?.focus({ preventScroll: true });
    last.current = now;
  }, [now]);
}

/** Dialogs are beside the page, so they are hidden for themselves; the focus comes back to where it was. */
function useHiddenDialogs(hidden: boolean): void {
  useLayoutEffect(() => {
    if (!hidden) return;
    const had = document.activeElement;
    // A button that was just pressed is disabled, and has no focus.
    const before = () =>
      had === document.body ? (document.querySelector('[role="dialog"]') ?? document.getElementById('main')) : had;
    document.documentElement.toggleAttribute('data-ended', true);
    return () => {
      document.documentElement.toggleAttribute('data-ended', false);
      requestAnimationFrame(() => (before() as HTMLElement | null)?.focus({ preventScroll: true }));
    };
  }, [hidden]);
}

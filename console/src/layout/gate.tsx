// What precedes the pages: sign-in, a required password change or second factor, then the frame.

import { Container, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import { Problem } from '../components/problem.tsx';
import { useSession } from '../data/session.tsx';
import { say } from '../words/words.ts';
import { Frame } from './frame.tsx';

const SignIn = lazy(() => import('../pages/sign-in/sign-in.tsx'));
const SetUp = lazy(() => import('../pages/sign-in/set-up.tsx'));
const NewPassword = lazy(() => import('../pages/sign-in/new-password.tsx'));

export function Gate({ children }: { readonly children: ReactNode }) {
  const { session, error, retry } = useSession();
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
  return <Frame>{children}</Frame>;
}

// Where to go on from a list that is empty because no program has called yet: the tutorial that the service serves.
import { Anchor } from '@mantine/core';
import { say } from '../words/words.ts';

export const FirstSteps = () => (
  <Anchor href="/docs/tutorial/first-order" target="_blank" size="sm" underline="always">
    {say('From nothing to a first order, in ten minutes')}
  </Anchor>
);

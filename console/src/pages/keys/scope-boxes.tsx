// A field of a form: the scopes of a key.

import { Checkbox, type CheckboxGroupProps, Stack } from '@mantine/core';
import { say } from '../../words/words.ts';
import { scopeChoices } from './scopes.ts';

/** @param props what the form hands to its field */
export function ScopeBoxes(props: Omit<CheckboxGroupProps, 'children' | 'label'>) {
  return (
    <Checkbox.Group label={say('What it may do')} {...props}>
      <Stack gap="xs" mt="xs">
        {scopeChoices.map((c) => (
          <Checkbox key={c.value} {...c} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

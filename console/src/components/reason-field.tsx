// The field in which a person says why something is done.

import { Textarea, type TextareaProps } from '@mantine/core';
import { say } from '../words/words.ts';

export function ReasonField(props: TextareaProps) {
  return <Textarea label={say('Reason')} required autosize minRows={2} {...props} />;
}

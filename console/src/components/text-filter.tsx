// A filter that is typed: applied a moment after the last letter, and in step with the address.
import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** What may be asked for; anything else is marked and not asked. */
  readonly pattern?: string;
}

export function TextFilter({ value = '', onChange, pattern, ...rest }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const sound = (t: string) => t === '' || !pattern || new RegExp(`^(?:${pattern})$`).test(t);
  const apply = useDebouncedCallback((t: string) => {
    if (sound(t)) onChange(t === '' ? undefined : t);
  }, 300);
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={(e) => {
        setText(e.currentTarget.value);
        apply(e.currentTarget.value.trim());
      }}
      error={sound(text.trim()) ? undefined : 'Not a number'}
    />
  );
}

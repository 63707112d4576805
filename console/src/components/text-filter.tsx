// A filter that is typed: applied a moment after the last letter, and in step with the address.
import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string | undefined;
  /** With what was typed, too. */
  readonly onChange: (value: string | undefined, typed: string) => void;
  /** What is applied for a text that was typed; undefined marks the text and applies nothing. */
  readonly read?: (text: string) => string | undefined;
  /** What to say of a text that cannot be applied. */
  readonly wrong?: string;
}

const asTyped = (text: string): string => text;

export function TextFilter({ value = '', onChange, read = asTyped, wrong = 'Not a number', ...rest }: Props) {
  const [text, setText] = useState(value);
  // What was typed stays as it was typed while it says the same.
  useEffect(() => setText((t) => (t.trim() !== '' && read(t.trim()) === value ? t : value)), [value, read]);
  const apply = useDebouncedCallback((t: string) => {
    const meant = t === '' ? '' : read(t);
    if (meant !== undefined) onChange(meant === '' ? undefined : meant, t);
  }, 300);
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={(e) => {
        setText(e.currentTarget.value);
        apply(e.currentTarget.value.trim());
      }}
      error={text.trim() === '' || read(text.trim()) !== undefined ? undefined : wrong}
    />
  );
}

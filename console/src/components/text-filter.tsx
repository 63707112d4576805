// A text filter: applied shortly after the last keystroke and kept in sync with the URL.

import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type Filters, useFilters } from '../data/path.ts';
import { say } from '../words/words.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** The filter's name in the URL. */
  readonly of: string;
  /** What is set in place of the filter alone; also receives the text as typed. */
  readonly sets?: (value: string | undefined, typed: string) => Filters;
  /** Turns the typed text into the filter's value; undefined marks the text as invalid and applies nothing. */
  readonly read?: (text: string) => string | undefined;
  /** The message for text that cannot be applied. */
  readonly wrong?: string;
}

const asTyped = (text: string): string => text;
/** Reads a code, which may be typed in small letters. */
export const inCapitals = (text: string): string => text.toUpperCase();

export function TextFilter({ of, sets, read = asTyped, wrong = say('Not a number'), ...rest }: Props) {
  const [filters, set] = useFilters();
  const value = filters[of] ?? '';
  const [text, setText] = useState(value);
  // Keep the text as typed while it means the same value.
  useEffect(() => setText((t) => (t.trim() !== '' && read(t.trim()) === value ? t : value)), [value, read]);
  const apply = useDebouncedCallback((t: string) => {
    const meant = t === '' ? '' : read(t);
    if (meant === undefined) return;
    const next = meant === '' ? undefined : meant;
    set(sets ? sets(next, t) : { [of]: next });
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

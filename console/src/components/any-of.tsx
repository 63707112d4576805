// A filter of the page with one of several values, or any. It is kept in the URL, as all filters are.

import { Select, type SelectProps } from '@mantine/core';
import { useFilters } from '../data/path.ts';
import { say } from '../words/words.ts';

interface Props extends Omit<SelectProps, 'value' | 'onChange' | 'clearable' | 'clearButtonProps' | 'placeholder'> {
  /** The filter's name in the URL. */
  readonly of: string;
  /** What is shown while none is chosen, and on the button that clears it. */
  readonly any?: string;
  /** What the button says, where that is more. */
  readonly clear?: string;
}

export function AnyOf({ of, any = say('Any'), clear = any, ...rest }: Props) {
  const [filters, set] = useFilters();
  return (
    <Select
      placeholder={any}
      clearable
      clearButtonProps={{ 'aria-label': clear }}
      value={filters[of] ?? null}
      onChange={(v) => set({ [of]: v ?? undefined })}
      {...rest}
    />
  );
}

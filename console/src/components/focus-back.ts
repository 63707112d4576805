// Where the focus goes when a dialog that exists only while it is open is closed: back to what opened it.
import { useEffect, useState } from 'react';

export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );
}

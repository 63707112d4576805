// Escape does not lose what was typed into the form of a dialog: it says that this is not saved, and the next one closes it.
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { say } from '../words/words.ts';

/** The dialog whose form a field is part of; lists that are chosen from, and the search, have no form. */
const dialogOf = (field: EventTarget | null): Element | null =>
  field instanceof Element ? field.closest('[aria-modal="true"]') : null;

export function useTypedKept(): void {
  useEffect(() => {
    /** Dialogs that were typed into since they were last asked to close. */
    const typed = new WeakSet<Element>();
    const note = ({ target }: Event) => {
      const dialog = dialogOf(target);
      if (dialog && (target as Element).closest('form')) typed.add(dialog);
    };
    const ask = (event: KeyboardEvent) => {
      const dialog = dialogOf(event.target);
      if (event.key !== 'Escape' || event.isComposing || !dialog) return;
      // An open list of choices is closed by it first.
      if ((event.target as Element).getAttribute('data-mantine-stop-propagation') === 'true') return;
      if (!typed.delete(dialog)) return;
      event.stopImmediatePropagation();
      notifications.show({
        message: say('What you typed is not saved. Press Escape again to close the form.'),
        color: 'brass',
      });
    };
    // Before the dialogs, which take the key where it enters the window too.
    window.addEventListener('keydown', ask, { capture: true });
    document.addEventListener('input', note);
    return () => {
      window.removeEventListener('keydown', ask, { capture: true });
      document.removeEventListener('input', note);
    };
  }, []);
}

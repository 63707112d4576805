// Keeps the focus near where it was: when what had it is removed or disabled, such as a button whose action is done, the dialog
// or section around it has it, until it can have it again. Without this the next Tab begins at the top of the page, and a screen
// reader says nothing. A dialog begins on its first field, or else on what is to be done in it, not on the button that closes it.
import { useEffect } from 'react';

/** Longer than a dialog needs to give the focus back to what opened it. */
const settledMs = 60;

/** A dialog that keeps what was typed stays in the page while it is closed. */
const isShown = (dialog: HTMLElement): boolean => dialog.checkVisibility();

/** Marks where a dialog that does not say it begins, before the dialog takes the focus. */
function markBeginnings(): void {
  for (const dialog of document.querySelectorAll('[role="dialog"]:not(:has([data-autofocus]))')) {
    const begin =
      dialog.querySelector(':is(input:not([type="file"], [type="hidden"]), select, textarea):not(:disabled)') ??
      dialog.querySelector('button:not(.mantine-Modal-close, :disabled)');
    begin?.setAttribute('data-autofocus', 'true');
    // What is in it may come after the dialog.
    if (document.activeElement?.matches('.mantine-Modal-close')) (begin as HTMLElement | null)?.focus();
  }
}

export function useFocusKept(): void {
  useEffect(() => {
    /** What had the focus last on the page, and the sections around it, the innermost first; dialogs are beside the page. */
    let last: HTMLElement | undefined;
    let around: HTMLElement[] = [];
    /** What has the focus in its place. */
    let instead: HTMLElement | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = ({ target }: FocusEvent) => {
      const main = document.getElementById('main');
      if (target === instead) return;
      instead = undefined;
      if (!(target instanceof HTMLElement) || !main?.contains(target)) return;
      last = target;
      around = [];
      for (let e: HTMLElement | null = target; e; e = e.parentElement)
        if (e === main || e.matches('section')) around.push(e);
    };
    const isLost = () => [document.body, instead].includes(document.activeElement as HTMLElement);
    const look = () => {
      if (!isLost()) return;
      const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].filter(isShown).at(-1);
      if (!dialog && last?.isConnected && !last.matches(':disabled')) {
        last.focus({ preventScroll: true });
        return;
      }
      instead = dialog ?? around.find((e) => e.isConnected);
      if (!instead || instead === document.activeElement) return;
      instead.tabIndex = -1;
      instead.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(() => {
      markBeginnings();
      clearTimeout(timer);
      if (isLost() && around.length > 0) timer = setTimeout(look, settledMs);
    });
    document.addEventListener('focusin', note);
    watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      clearTimeout(timer);
      watch.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, []);
}

const faulty = ':is(input, textarea, select):is([aria-invalid="true"], [data-invalid])';

/** A form that is not sent because of a field leads to that field: a screen reader says what is wrong with it. */
export function useFaultsFocused(): void {
  useEffect(() => {
    const look = ({ target }: SubmitEvent) =>
      setTimeout(() => (target as HTMLElement).querySelector<HTMLElement>(faulty)?.focus());
    document.addEventListener('submit', look);
    return () => document.removeEventListener('submit', look);
  }, []);
}

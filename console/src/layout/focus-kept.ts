// Keeps the focus near where it was: when what had it is removed, such as a button whose action is done, the dialog or section
// around it has it. Without this the next Tab begins at the top of the page, and a screen reader says nothing.
import { useEffect } from 'react';

/** Longer than a dialog needs to give the focus back to what opened it. */
const settledMs = 60;

export function useFocusKept(): void {
  useEffect(() => {
    /** The sections around what had the focus last on the page, the innermost first; dialogs are beside the page. */
    let around: HTMLElement[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = ({ target }: FocusEvent) => {
      const main = document.getElementById('main');
      if (!(target instanceof HTMLElement) || !main?.contains(target)) return;
      around = [];
      for (let e: HTMLElement | null = target; e; e = e.parentElement)
        if (e === main || e.matches('section')) around.push(e);
    };
    const look = () => {
      if (document.activeElement !== document.body) return;
      const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
      const near = dialog ?? around.find((e) => e.isConnected);
      if (!near) return;
      near.tabIndex = -1;
      near.focus({ preventScroll: true });
    };
    const watch = new MutationObserver(() => {
      clearTimeout(timer);
      if (document.activeElement === document.body && around.length > 0) timer = setTimeout(look, settledMs);
    });
    document.addEventListener('focusin', note);
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      clearTimeout(timer);
      watch.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, []);
}

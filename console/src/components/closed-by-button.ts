// How a dialog closes that may show a secret, which is shown only once.

/** Props of a dialog: while it shows a secret, its own button alone closes it. */
export const closedByButton = (shows: unknown) => ({ closeOnEscape: !shows, withCloseButton: !shows });

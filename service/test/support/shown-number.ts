// A telephone number as reports show it.
import { maskNumber } from '../../src/core/cdr/masks.ts';
import type { Account, TestApp } from './app.ts';

/** The number's mask and keyed hash. */
export const shownNumber = (t: TestApp, psp: Account, number: string): string =>
  `${maskNumber(number)} ${t.app.services.subjects.identify(psp.uuid, number).subject}`;

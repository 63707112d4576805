// Texts of the console that have elements in them.
import { createElement, Fragment, type ReactNode } from 'react';
import { place, type Text, textOf, type Values } from './words.ts';

/** A text that has elements in it: `rich('Opened by {person}', { person: <Person … /> })`. */
export function rich<const K extends Text>(text: K, ...[values]: Values<K, ReactNode>): ReactNode {
  const given: Readonly<Record<string, ReactNode>> = values ?? {};
  const parts = textOf(text)
    .split(place)
    .map((part, i) => (i % 2 === 1 ? given[part] : part));
  return createElement(Fragment, null, ...parts);
}

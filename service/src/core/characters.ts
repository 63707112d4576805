// Characters that make a text look like another or steer the screen: controls, and marks that change the direction of
// what follows. Finds the first one in a text, and writes them out to show the text without their effect. Pure.
import { phrase, type Said, said } from './said.ts';

/** Controls, line and paragraph separators, and the embeddings, overrides and isolates of the bidirectional algorithm. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const steering = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
/** The same without tab, line feed and carriage return, which prose may contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const steeringInProse = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
const everySteering = new RegExp(steering, 'g');
const everySteeringInProse = new RegExp(steeringInProse, 'g');

// Not included: U+200C and U+200D, needed to spell Persian, Arabic and Indic words, and the marks U+200E, U+200F and
// U+061C, which put a bracket or full stop of a mixed-direction name on its right side and cannot reverse letters.

const names: Readonly<Record<number, string>> = {
  9: 'a tab',
  10: 'a line feed',
  13: 'a carriage return',
  8232: 'a line separator',
  8233: 'a paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
};

const codeOf = (c: string) => `U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * The first forbidden character of a text with its position: "U+202E (right-to-left override) at character 5".
 * @param lines true for prose, which may have several lines
 * @returns undefined if there is none
 */
export function steeringCharacter(text: string, lines = false): Said | undefined {
  const at = text.search(lines ? steeringInProse : steering);
  if (at < 0) return undefined;
  const c = text.charAt(at);
  const place = [...text.slice(0, at)].length + 1;
  return said`${codeOf(c)} (${phrase(names[c.charCodeAt(0)] ?? 'a control character')}) at character ${place}`;
}

/**
 * The text with each such character written out, as [U+202E].
 * @param lines whether to keep line breaks and tabs
 */
export const shownPlainly = (text: string, lines = false): string =>
  (lines ? steeringInProse : steering).test(text)
    ? text.replace(lines ? everySteeringInProse : everySteering, (c) => `[${codeOf(c)}]`)
    : text;

// How a word sounds, as a short key that spellings of one name in different transliterations share: Qadhafi and Gaddafi,
// Yusuf and Youssef, Mohamed and Muhammad. Vowels count only at the beginning.

const clusters: readonly (readonly [RegExp, string])[] = [
  [/tsch|tch|shch|sch|cz/g, 'C'],
  [/sh|sz|ch/g, 'C'],
  [/zh|dzh|dj|dz/g, 'J'],
  [/ph/g, 'f'],
  [/th|dh/g, 't'],
  [/kh|gh|ck|qu/g, 'k'],
  [/x/g, 'ks'],
  [/c(?=[eiy])/g, 's'],
];

const alike: Readonly<Record<string, string>> = {
  ...{ C: 'C', J: 'J', j: 'J', b: 'p', p: 'p', v: 'f', w: 'f', f: 'f', d: 't', t: 't', g: 'k', k: 'k', q: 'k', c: 'k' },
  ...{ z: 's', s: 's', l: 'l', r: 'r', m: 'm', n: 'n' },
};

/** @param word lower-case Latin letters; digits count as they are */
export function soundOf(word: string): string {
  // Russian writes the h of foreign names as х, which becomes kh.
  let text = word.replace(/^kh/, 'h');
  for (const [pattern, by] of clusters) text = text.replace(pattern, by);
  let key = '';
  let last = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    let sound = alike[c] ?? (/\d/.test(c) ? c : '');
    if (i === 0 && /[aeiouyjh]/.test(c)) sound = c === 'h' ? 'h' : 'a';
    if (sound !== '' && sound !== last) key += sound;
    // Two equal sounds with a vowel between them are two: Mamun is not Mun.
    last = sound;
  }
  return key;
}

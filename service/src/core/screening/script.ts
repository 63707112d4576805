// Transliterates names in Cyrillic, Greek, Arabic and Persian script into Latin letters. Han characters are read by a
// dictionary outside of the core (`HanReader`). Must never be used to display a name: it loses letters on purpose.

/** Reads a run of Han characters as pinyin, one syllable per character, separated by spaces. */
export type HanReader = (han: string) => string;

const cyrillic: Readonly<Record<string, string>> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', ђ: 'dj', ѓ: 'g', е: 'e', ё: 'e', є: 'ie', ж: 'zh', з: 'z' },
  ...{ ѕ: 'dz', и: 'i', і: 'i', ї: 'i', й: 'i', ј: 'j', к: 'k', л: 'l', љ: 'lj', м: 'm', н: 'n', њ: 'nj', о: 'o' },
  ...{ п: 'p', р: 'r', с: 's', т: 't', ћ: 'c', ќ: 'k', у: 'u', ў: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', џ: 'dz' },
  ...{ ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'iu', я: 'ia', қ: 'k', ғ: 'g', ү: 'u', ұ: 'u', ө: 'o' },
  ...{ ә: 'a', ң: 'n', һ: 'h', ҳ: 'h', ҷ: 'j', ӣ: 'i', ӯ: 'u' },
};

const greek: Readonly<Record<string, string>> = {
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n' },
  ...{ ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
};

/** Short vowels are not written; what is compared afterwards rests on consonants. */
const arabic: Readonly<Record<string, string>> = {
  ...{ ا: 'a', أ: 'a', إ: 'i', آ: 'a', ٱ: 'a', ب: 'b', ت: 't', ث: 'th', ج: 'j', ح: 'h', خ: 'kh', د: 'd', ذ: 'dh' },
  ...{ ر: 'r', ز: 'z', س: 's', ش: 'sh', ص: 's', ض: 'd', ط: 't', ظ: 'z', ع: 'a', غ: 'gh', ف: 'f', ق: 'q', ك: 'k' },
  ...{ ل: 'l', م: 'm', ن: 'n', ه: 'h', ة: 'a', و: 'w', ي: 'y', ى: 'a', ء: '', ئ: 'i', ؤ: 'u', پ: 'p', چ: 'ch' },
  ...{ ژ: 'zh', گ: 'g', ک: 'k', ی: 'y', ں: 'n', ے: 'e', ہ: 'h', ڈ: 'd', ٹ: 't', ڑ: 'r' },
};

/** Latin letters that have no decomposition. */
const latin: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i', ŋ: 'n', ħ: 'h', ə: 'a' },
};

const letters = new Map(Object.entries({ ...cyrillic, ...greek, ...arabic, ...latin }));
/** The article is written together with its word. */
const arabicArticle = /(?<!\p{L})ال(?=\p{L}{3})/gu;
/** Russian passports write Iurii whom lists write Yury, Yuri or Yuriy: too far apart for letters and sounds alone. */
const initialIu = /(?<!\p{L})iu(?=[b-df-hj-np-tv-z])/gu;
const finalIi = /(?<=[b-df-hj-np-tv-xz])(?:ii|iy|yy)(?!\p{L})/gu;
const marks = /\p{M}+/gu;
const han = /\p{Script=Han}+/gu;

/** The text in lower-case Latin letters without marks. Letters of other scripts stay. */
export function inLatin(text: string, readHan: HanReader): string {
  const known = text
    .replace(arabicArticle, '')
    .replace(han, (run) => ` ${readHan(run)} `)
    .toLowerCase();
  // A composed letter may have an own row (й, ё); its parts are looked up only where it has none.
  const mapped = [...known.normalize('NFC')].map((c) => letters.get(c) ?? c).join('');
  const plain = [...mapped.normalize('NFKD').replace(marks, '')].map((c) => letters.get(c) ?? c).join('');
  return plain.replace(initialIu, 'yu').replace(finalIi, 'i');
}

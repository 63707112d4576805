// Transliterates names in Cyrillic, Greek, Arabic, Persian, Hebrew, Korean and Japanese (kana) script into Latin letters. Han
// characters are read by a dictionary outside of the core (`HanReader`). Must never be used to display a name: it loses letters on purpose.

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

/** As for Arabic. What is b, h, p or v at the beginning of a word is mostly v, silent, f or a vowel later. */
const hebrew: Readonly<Record<string, string>> = {
  ...{ א: 'a', ב: 'v', ג: 'g', ד: 'd', ה: '', ו: 'u', ז: 'z', ח: 'h', ט: 't', י: 'i', כ: 'k', ך: 'k', ל: 'l' },
  ...{
    מ: 'm',
    ם: 'm',
    נ: 'n',
    ן: 'n',
    ס: 's',
    ע: 'a',
    פ: 'f',
    ף: 'f',
    צ: 'ts',
    ץ: 'ts',
    ק: 'k',
    ר: 'r',
    ש: 'sh',
    ת: 't',
  },
};
const hebrewFirst: Readonly<Record<string, string>> = { ב: 'b', ה: 'h', ו: 'v', י: 'y', פ: 'p' };

/** Parts of a syllable in the order of Unicode, as Pyongyang writes names in Latin letters and the lists of UN and OFAC have them. */
const korean = {
  first: 'k kk n t tt r m p pp s ss - j jj ch k t p h',
  middle: 'a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i',
  last: '- k k k n n n t l k m p l l p l m p p t t ng t t k t p t',
} as const;
const parts = (of: string): string[] => of.split(' ').map((part) => (part === '-' ? '' : part));
const [firsts, middles, lasts] = [parts(korean.first), parts(korean.middle), parts(korean.last)];

function syllable(of: string): string {
  const n = of.charCodeAt(0) - 0xac00;
  return `${firsts[Math.floor(n / 588)]}${middles[Math.floor(n / 28) % 21]}${lasts[n % 28]}`;
}

/** A name of two to four syllables in one word is a Korean's: the family name, then a given name of single syllables. */
function readHangul(text: string): string {
  if (!/^[가-힣]{2,4}$/.test(text.trim())) return text.replace(/[가-힣]/g, syllable);
  const [family, ...given] = [...text.trim()] as [string, ...string[]];
  // Seoul writes 이 and says Lee where Pyongyang writes 리 and says Ri.
  return [family === '이' ? 'lee' : syllable(family), ...given.map(syllable)].join(' ');
}

/** Hepburn, by the rows of the kana; a syllable of i is followed by a small ya, yu or yo. */
const kana = new Map(
  [
    [
      'あいうえおかきくけこさしすせそたちつてとなにぬねの',
      'a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no',
    ],
    ['はひふへほまみむめもやゆよらりるれろわをん', 'ha hi fu he ho ma mi mu me mo ya yu yo ra ri ru re ro wa o n'],
    [
      'がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽゔ',
      'ga gi gu ge go za ji zu ze zo da ji zu de do ba bi bu be bo pa pi pu pe po vu',
    ],
    // A small vowel takes the place of the one before it: ティ is ti, ファ is fa.
    ['ぁぃぅぇぉ', 'A I U E O'],
  ].flatMap(([signs = '', sounds = '']) => {
    const of = sounds.split(' ');
    return [...signs].map((sign, i) => [sign, of[i] as string] as const);
  }),
);

/** With ー where it stands. */
export const hepburn = (run: string): string =>
  [...run.replace(/[ァ-ヶ]/g, (k) => String.fromCharCode(k.charCodeAt(0) - 0x60))]
    .map((sign) => kana.get(sign) ?? sign)
    .join('')
    .replace(/i([ゃゅょ])/g, (_, small: string) => `y${{ ゃ: 'a', ゅ: 'u', ょ: 'o' }[small]}`)
    .replace(/(sh|ch|j)y/g, '$1')
    .replace(/っ(.)/g, '$1$1')
    .replace(/(sh|ch|j)i([AUEO])|(ts)u([AIEO])|([td])[eo]([IU])|([fvsz])u([AIEO])|([kg])u([AIEO])/g, smallVowel)
    .replace(/u([AIEO])/g, 'w$1')
    .toLowerCase();

function smallVowel(_: string, ...parts: (string | undefined)[]): string {
  const [first, vowel] = parts.slice(0, 10).filter((p) => p !== undefined) as [string, string];
  return /[kg]/.test(first) ? `${first}w${vowel}` : `${first}${vowel}`;
}

const readKana = (run: string): string => hepburn(run).replace(/ー/g, '').replace(/ou|oo/g, 'o').replace(/uu/g, 'u');

/** Latin letters that have no decomposition. */
const latin: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i', ŋ: 'n', ħ: 'h', ə: 'a' },
};

const letters = new Map(Object.entries({ ...cyrillic, ...greek, ...arabic, ...hebrew, ...latin }));
/** The article is written together with its word. */
const arabicArticle = /(?<!\p{L})ال(?=\p{L}{3})/gu;
/** Russian passports write Iurii whom lists write Yury, Yuri or Yuriy: too far apart for letters and sounds alone. */
const initialIu = /(?<!\p{L})iu(?=[b-df-hj-np-tv-z])/gu;
const finalIi = /(?<=[b-df-hj-np-tv-xz])(?:ii|iy|yy)(?!\p{L})/gu;
const marks = /\p{M}+/gu;
const han = /\p{Script=Han}+/gu;
const kanaRun = /[ぁ-ゖァ-ヶー]+/g;
const hebrewStart = /(?<!\p{L})[בהויפ]/gu;

/** What has no picture, as a space of no width or a soft hyphen; the non-joiner stays in Arabic script, where it parts words. */
const unseen = /(?!\u200c)\p{Default_Ignorable_Code_Point}|(?<!\p{Script=Arabic})\u200c/gu;

/** The text as it is read by people: letters of another shape (bold, full width) as usual ones, and without what has no picture. */
export const asSeen = (text: string): string => text.normalize('NFKC').replace(unseen, '');

/** The text in lower-case Latin letters without marks. Letters of other scripts stay. */
export function inLatin(text: string, readHan: HanReader): string {
  const known = readHangul(asSeen(text))
    .replace(kanaRun, readKana)
    .replace(hebrewStart, (first) => hebrewFirst[first] as string)
    .replace(arabicArticle, '')
    .replace(han, (run) => ` ${readHan(run)} `)
    .toLowerCase();
  // A composed letter may have an own row (й, ё); its parts are looked up only where it has none.
  const mapped = [...known.normalize('NFC')].map((c) => letters.get(c) ?? c).join('');
  const plain = [...mapped.normalize('NFKD').replace(marks, '')].map((c) => letters.get(c) ?? c).join('');
  return plain.replace(initialIu, 'yu').replace(finalIi, 'i');
}

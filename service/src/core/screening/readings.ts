// Other readings of names whose script leaves several: how Seoul and its papers spell Korean names, what a foreign name was before it
// was written in katakana, and Hebrew, which writes few vowels. Each is the same text with another spelling in Latin letters in place of
// the script. Must never be used to display a name.

/** Family names as people spell them, the usual way first. What is missing here is spelled by its sounds. */
const families: Readonly<Record<string, string>> = {
  강: 'kang gang',
  계: 'kye gye',
  고: 'ko koh go',
  공: 'kong gong',
  곽: 'kwak gwak',
  구: 'koo gu ku',
  국: 'kuk kook',
  권: 'kwon gwon',
  금: 'keum geum',
  기: 'ki gi',
  길: 'gil kil',
  김: 'kim gim',
  나: 'na ra',
  남: 'nam',
  노: 'roh noh no',
  도: 'do',
  류: 'ryu yoo yu lyu',
  마: 'ma',
  명: 'myung myeong',
  문: 'moon mun',
  민: 'min',
  박: 'park pak bak',
  반: 'ban pan',
  방: 'bang pang',
  배: 'bae pae',
  백: 'baek paik paek',
  변: 'byun byeon',
  서: 'seo suh so',
  석: 'seok suk',
  선: 'sun seon',
  설: 'sul seol',
  성: 'sung seong',
  손: 'son sohn',
  송: 'song',
  신: 'shin sin',
  심: 'shim sim',
  안: 'ahn an',
  양: 'yang',
  여: 'yeo',
  염: 'yeom yum',
  오: 'oh o',
  우: 'woo u',
  원: 'won',
  유: 'yoo yu ryu',
  윤: 'yoon yun youn',
  이: 'lee yi rhee ri',
  임: 'lim im rim',
  장: 'jang chang',
  전: 'jeon chun jun',
  정: 'chung jung jeong',
  조: 'cho jo',
  주: 'joo ju',
  지: 'ji chi',
  진: 'jin chin',
  차: 'cha',
  천: 'chun cheon',
  최: 'choi choe',
  추: 'choo chu',
  하: 'ha',
  한: 'han',
  허: 'hur heo huh',
  현: 'hyun hyeon',
  홍: 'hong',
  황: 'hwang',
};

/** Parts of a syllable in the order of Unicode, as Seoul prescribes (Revised Romanization). */
const seoul = {
  first: 'g kk n d tt r m b pp s ss - j jj ch k t p h'.split(' '),
  middle: 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' '),
  last: '- k k k n n n t l k m p l l p l m p p t t ng t t k t p t'.split(' '),
} as const;

function partsOf(syllable: string): { first: string; middle: string; last: string } {
  const n = syllable.charCodeAt(0) - 0xac00;
  const [first, middle, last] = [
    seoul.first[Math.floor(n / 588)],
    seoul.middle[Math.floor(n / 28) % 21],
    seoul.last[n % 28],
  ];
  return { first: (first ?? '').replace('-', ''), middle: middle ?? '', last: (last ?? '').replace('-', '') };
}

function bySeoul(syllable: string): string {
  const { first, middle, last } = partsOf(syllable);
  return first + middle + last;
}

/** As most people spell a syllable of their given name: 준 Joon, 성 Sung, 희 Hee, 경 Kyung, 영 Young. */
function byHabit(syllable: string): string {
  const { first, middle, last } = partsOf(syllable);
  return (first === 'g' ? 'k' : first) + habitual(first, middle, last) + last;
}

function habitual(first: string, middle: string, last: string): string {
  if (middle === 'eo' && last !== '') return 'u';
  if (middle === 'yeo' && last !== '') return first === '' && last === 'ng' ? 'you' : 'yu';
  if (middle === 'u') return first === '' ? 'woo' : 'oo';
  if (middle === 'ui') return first === 'h' ? 'ee' : 'eui';
  return middle;
}

/** As older people and scholars spell it: 정 Chung, 덕 Tuk. */
const byOlderHabit = (syllable: string): string =>
  byHabit(syllable).replace(/^j/, 'ch').replace(/^d/, 't').replace(/^b/, 'p').replace('oo', 'u');

const koreanName = /^[가-힣]{2,4}$/;

/** @returns nothing for what is no Korean's name */
function readingsOfHangul(text: string): string[] {
  const name = text.normalize('NFC').trim();
  if (!koreanName.test(name)) return [];
  const [family, ...given] = [...name] as [string, ...string[]];
  const spellings = families[family]?.split(' ') ?? [bySeoul(family)];
  return spellings.flatMap((of) => [byHabit, bySeoul, byOlderHabit].map((way) => [of, ...given.map(way)].join(' ')));
}

/** Consonants after which Japanese writes a vowel that the foreign name has not. */
const withoutU = /(?<=[bcdfghklmprstvxz])u(?=[bcdfghjklmnpqrstvwxz]|$)/g;
const withoutO = /(?<=[td])o(?=[bcdfghjklmpqrstvwxz]|$)/g;

/** @param word Hepburn of a word in katakana, with ー as it stands @param l which r is an l @param asT whether chi is ti */
function foreign(word: string, l: RegExp, asT: boolean): string {
  const of = word
    .replace(/^uraj/, 'vlaj')
    .replace(/^urad/, 'vlad')
    .replace(/k?kus(?=[aiueo])/g, 'x')
    .replace(/aー$/, 'er')
    // A long vowel is the name's own.
    .replace(/([uo])ー/g, (_, vowel: string) => vowel.toUpperCase())
    .replace(/ー/g, '')
    .replace(/t(?=ch)/g, '')
    .replace(/([kptdsgbj])\1/g, '$1')
    .replace(/n(?=[pbm])/g, 'm')
    .replace(withoutO, '')
    .replace(withoutU, '')
    .replace(withoutO, '');
  const t = asT ? of.replace(/chi/g, 'ti').replace(/ji/g, 'di').replace(/tsu/g, 'tu').replace(/shi/g, 'si') : of;
  return t.replace(l, 'l').toLowerCase();
}

/** None, each but after t and d, and those that neither begin the word nor stand before a consonant. */
const whichL = [/$^/g, /(?<![td])r/g, /(?<![td]|^)r(?![bcdfghjkmnpstvz])/g] as const;

const katakanaRun = /[ァ-ヶー]+/g;

/** Of a foreign name in katakana: Japanese has one sound for l and r, and no ti, di, si or tu of old. */
function readingsOfKana(text: string, hepburn: (run: string) => string): string[] {
  const whole = text.normalize('NFKC');
  if (!/[ァ-ヶ]/.test(whole)) return [];
  return whichL.flatMap((l) =>
    [false, true].map((asT) => whole.replace(katakanaRun, (run) => foreign(hepburn(run), l, asT))),
  );
}

/** Names that Hebrew writes with letters that leave several readings, and how people spell them. */
const hebrewNames = new Map(
  [
    'אברהם avraham abraham,אביגדור avigdor,אבי avi,אהוד ehud,אהרון aaron aharon,אהרן aharon aaron,אורי uri,אורית orit,אילן ilan,אילת ayelet,איציק itzik',
    'איתן eitan,איתמר itamar,אלון alon,אלי eli,אליהו eliyahu,אליעזר eliezer,אמיר amir,אמנון amnon,אסף asaf assaf,אפרים ephraim efraim,אריאל ariel',
    'אריה aryeh arie,אריק arik,בן ben,בני benny beny,בנימין benjamin binyamin,בצלאל bezalel,ברוך baruch,גבי gabi,גבריאל gabriel,גד gad,גדעון gideon',
    'גולדה golda,גיא guy,גיל gil,גלעד gilad,דב dov,דוד david,דורון doron,דן dan,דנה dana,דני danny dani,דניאל daniel,דרור dror,חיים chaim haim',
    'חנה hannah chana,טל tal,יאיר yair,יגאל yigal,יהודה yehuda,יהושע yehoshua joshua,יואב yoav,יואל yoel joel,יובל yuval,יוחנן yohanan,יונתן yonatan jonathan',
    'יוסי yossi,יוסף yosef joseph,יורם yoram,יחזקאל yehezkel,יעל yael,יעקב yaakov jacob,יצחק yitzhak isaac,ירון yaron,ישראל israel yisrael,כהן cohen kohen',
    'לב lev,לבני livni,לוי levi levy,ליאור lior,מאיר meir,מיכאל michael,מיכל michal,מירי miri,מנחם menachem,מרדכי mordechai,מרים miriam,משה moshe',
    'נחום nahum,נוח noah,נועה noa,ניר nir,נעמי naomi,נפתלי naftali,נתן nathan natan,סמי sammy sami,עדי adi,עוזי uzi,עומר omer,עומרי omri,עידן idan,עמוס amos',
    'עמי ami,עמיר amir,ערן eran,פנחס pinchas,צבי zvi tzvi,ציפי tzipi,צחי tzachi,ראובן reuven,רון ron,רונן ronen,רוני roni,רחל rachel,רן ran,רבקה rivka',
    'שאול shaul,שגיא sagi,שושנה shoshana,שי shai,שימון shimon,שלום shalom,שלמה shlomo,שלי shelly,שמואל shmuel,שמעון shimon,שרה sarah,שרון sharon,תמיר tamir,תמר tamar',
    'אדלשטיין edelstein,איינשטיין einstein,אשכנזי ashkenazi,גולדברג goldberg,גולדשטיין goldstein,גרוסמן grossman,וייס weiss,ויצמן weizmann,וקנין vaknin,זילברמן silberman',
    'חדד haddad,כץ katz,ליברמן lieberman,מזרחי mizrahi,פורטמן portman,פרידמן friedman,פרץ peretz,קפלן kaplan,רבין rabin,רוזנברג rosenberg,רוזן rosen,שוורץ schwartz',
    'שפירא shapira shapiro,ברק barak,פרס peres,גולן golan,הרצוג herzog,בגין begin,דיין dayan,שמיר shamir,אולמרט olmert,נתניהו netanyahu,בר bar,ביטון biton,אוחנה ohana',
    'אזולאי azoulay azulay,אוחיון ohayon,מלכה malka,גבאי gabay gabbay,דהן dahan,עמר amar,פינטו pinto,סויסה suissa,חזן hazan,שטיינמץ steinmetz,רובין rubin,לנדאו landau',
  ].flatMap((line) =>
    line.split(',').map((entry) => {
      const [name = '', ...spellings] = entry.split(' ');
      return [name, spellings] as const;
    }),
  ),
);
const hebrewWord = /\p{Script=Hebrew}+/gu;
/** What is v, silent or f in the middle of a word may be o, a or p; of a word of three letters an a is left out. */
const vowelled: readonly ((word: string) => string)[] = [
  (w) =>
    w
      .replace(/(?<=.)ו(?=.)/g, 'o')
      .replace(/ה$/, 'a')
      .replace(/(?<=.)פ/g, 'p'),
  (w) =>
    w
      .replace(/(?<=.)ו(?=.)/g, 'v')
      .replace(/ה$/, 'e')
      .replace(/(?<=.)ב/g, 'b'),
];

function readingsOfHebrew(text: string): string[] {
  if (!/\p{Script=Hebrew}/u.test(text)) return [];
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return [0, 1].flatMap((nth) =>
    vowelled.map((way) =>
      plain.replace(hebrewWord, (word) => {
        const known = hebrewNames.get(word);
        return known === undefined ? way(word) : ((known[nth] ?? known[0]) as string);
      }),
    ),
  );
}

/** Scripts of which a name may have further readings; any other name has none, at no cost. */
const several = /[\u0590-\u05ff\u1100-\u11ff\u30a0-\u30ff\uac00-\ud7a3\uff66-\uff9d]/;

/**
 * Texts to compare besides the name itself.
 * @param hepburn reads a run of kana, and leaves ー
 */
export const furtherReadings = (name: string, hepburn: (run: string) => string): readonly string[] =>
  several.test(name) ? [...readingsOfHangul(name), ...readingsOfKana(name, hepburn), ...readingsOfHebrew(name)] : [];

// Names as they are compared: scripts, spellings, order, initials, compounds; and what must not match.
import { describe, expect, it } from 'vitest';
import { jaroWinkler } from './likeness.ts';
import { birthOf } from './list-file.ts';
import { scoreOfNames, scoresBeside } from './score.ts';
import { inLatin } from './script.ts';
import { soundOf } from './sound.ts';
import { readingsOf, wordsOf } from './words.ts';

const pinyin: Readonly<Record<string, string>> = { 习近平: 'xi jin ping', 王小明: 'wang xiao ming' };
const readHan = (han: string) => pinyin[han] ?? han;
const words = (name: string) => wordsOf(name, readHan);
const score = (a: string, b: string) => scoreOfNames(words(a), words(b)).score;

describe('a given name of two syllables', () => {
  // OFAC's list has Jong Un KIM and Xiaoming WANG; papers write the family name first, and the given name in one word or two.
  it.each([
    ['Kim Jongun', 'Jong Un KIM'],
    ['Kim Jong-un', 'Jong Un KIM'],
    ['Wang Xiao-ming', 'Xiaoming WANG'],
    ['Wang Xiao Ming', 'Xiaoming WANG'],
    ['Xiao Ming Wang', 'Xiaoming WANG'],
    ['王小明', 'Xiaoming WANG'],
  ])('of %s is that of %s, whichever name stands first', (asked, listed) => {
    expect(score(asked, listed)).toBeGreaterThanOrEqual(98);
    expect(score(listed, asked)).toBeGreaterThanOrEqual(98);
  });

  it('is not that of other words', () => {
    expect(score('Wang Ming Xiao', 'Xiaoming WANG')).toBeLessThan(85);
    expect(score('Kim Unjong', 'Jong Un KIM')).toBeLessThan(85);
  });
});

describe('jaroWinkler', () => {
  // The pairs and figures of Winkler's own papers.
  it.each([
    ['martha', 'marhta', 0.961],
    ['dwayne', 'duane', 0.84],
    ['dixon', 'dicksonx', 0.813],
    ['jones', 'johnson', 0.832],
    ['abroms', 'abrams', 0.922],
  ])('of %s and %s is %d, in both orders', (a, b, expected) => {
    expect(jaroWinkler(a, b)).toBeCloseTo(expected, 2);
    expect(jaroWinkler(b, a)).toBeCloseTo(expected, 2);
  });

  it('is 0 of words without a letter in common and 1 of equal ones', () => {
    expect([jaroWinkler('abc', 'xyz'), jaroWinkler('abc', 'abc')]).toEqual([0, 1]);
  });
});

describe('inLatin', () => {
  it.each([
    ['Владимир Жуков', 'vladimir zhukov'],
    ['Щербаков Юрий', 'shcherbakov yuri'],
    ['Iurii Dmitriy', 'yuri dmitri'],
    ['Γιώργος', 'giorgos'],
    ['محمد', 'mhmd'],
    ['Łukasz Müller-Ðorđević', 'lukasz muller-dordevic'],
    ['习近平', ' xi jin ping '],
    ['김정은', 'kim jong un'],
    ['しのだ けんいち', 'shinoda kenichi'],
    ['タカヤマ・キョウジ', 'takayama・kyoji'],
    ['はっとり', 'hattori'],
    ['משה', 'msh'],
  ])('reads %s as %s', (name, latin) => expect(inLatin(name, readHan)).toBe(latin));

  it('reads a name whose marks are apart as the same name', () => {
    for (const name of ['김정은', 'がぎぐ', 'Щербаков Юрий', 'Müller'])
      expect(inLatin(name.normalize('NFD'), readHan)).toBe(inLatin(name, readHan));
  });
});

describe('a name that is not written as it seems', () => {
  const seen = 'Viktor Bout';
  it.each([
    // A space of no width, a soft hyphen, a word joiner, a mark of order, a joiner, a variation selector, a filler.
    ...['\u200b', '\u00ad', '\u2060', '\u200e', '\u200c', '\u200d', '\ufe0f', '\u3164', '\ufeff'].map(
      (unseen) => `Vi${unseen}ktor B${unseen}out`,
    ),
    '\u{1d415}\u{1d422}\u{1d424}\u{1d42d}\u{1d428}\u{1d42b} \u{1d401}\u{1d428}\u{1d42e}\u{1d42d}',
    'Ｖｉｋｔｏｒ Ｂｏｕｔ',
    'Ⓥiktor Ⓑout',
  ])('%j is read as people see it', (name) => {
    expect(words(name).map((w) => w.text)).toEqual(['viktor', 'bout']);
    expect(score(name, seen)).toBe(100);
  });

  it('is parted where Persian parts words without a space', () => {
    expect(words('علی\u200cرضا').length).toBe(2);
  });
});

describe('a name in its own script', () => {
  // Latin forms as the lists of the United Nations and OFAC, and newspapers, have them.
  it.each([
    ['김정은', 'Jong Un KIM'],
    ['김여정', 'Yo Jong KIM'],
    ['최룡해', 'CHOE Ryong Hae'],
    ['황병서', 'HWANG Pyong So'],
    ['박도춘', 'PAK TO-CHUN'],
    ['김동명', 'KIM TONG-MYONG'],
    ['리제선', 'RI JE-SON'],
    ['윤호진', 'YUN HO-JIN'],
    ['강문길', 'KANG MUN KIL'],
    ['이재용', 'Lee Jae-yong'],
    ['しのだ けんいち', 'Kenichi SHINODA'],
    ['タカヤマ キヨシ', 'Kiyoshi TAKAYAMA'],
    ['アサハラ ショウコウ', 'Shoko ASAHARA'],
    ['たなか きょうこ', 'Kyoko TANAKA'],
    ['משה כץ', 'Moshe KATZ'],
    ['שמעון פרס', 'Shimon Peres'],
    ['אריאל שרון', 'Ariel Sharon'],
    ['איתמר בן גביר', 'Itamar Ben Gvir'],
    ['בנימין נתניהו', 'Binyamin Netanyahu'],
  ])('%s is %s, whichever is listed', (own, latin) => {
    expect(score(own, latin)).toBeGreaterThanOrEqual(85);
    expect(score(latin, own)).toBeGreaterThanOrEqual(85);
  });

  it.each(['สมชาย ใจดี', 'गौतम अदानी', 'გიორგი მარგველაშვილი'])(
    '%s, whose script is not read, is itself alone',
    (own) => {
      expect(score(own, own)).toBe(100);
      for (const latin of ['Somchai Jaidee', 'Gautam Adani', 'Giorgi Margvelashvili'])
        expect(score(own, latin)).toBe(0);
    },
  );

  it.each([
    ['김정은', 'Kim Jong Il'],
    ['やまだ たろう', 'Jiro Yamada'],
    ['משה כץ', 'Moshe Cohen'],
    ['שמעון פרס', 'Ariel Sharon'],
  ])('%s is not %s', (own, latin) => expect(score(own, latin)).toBeLessThan(85));
});

describe('soundOf', () => {
  it.each([
    ['gaddafi', 'qadhafi'],
    ['mohamed', 'muhammad'],
    ['yusuf', 'yousef'],
    ['hussein', 'khusein'],
    ['lukashenko', 'lukashenka'],
  ])('is one of %s and %s', (a, b) => expect(soundOf(a)).toBe(soundOf(b)));
  it('is another of names that differ', () => {
    expect(soundOf('ivanov')).not.toBe(soundOf('petrov'));
  });
});

describe('readingsOf', () => {
  const readings = (name: string) => readingsOf(name, readHan).map((of) => of.map((w) => w.text).join(' '));

  it.each([
    ['박근혜', 'park geun hye'],
    ['박근혜', 'pak kun hye'],
    ['문재인', 'moon jae in'],
    ['이승만', 'rhee seung man'],
    ['정희', 'chung hee'],
    ['プーチン', 'putin'],
    ['ドナルド・トランプ', 'donald tramp'],
    ['ティファニー', 'tifani'],
    ['דוד כהן', 'david cohen'],
    ['יצחק לוי', 'yitzhak levi'],
  ])('of %s has %s', (name, reading) => expect(readings(name)).toContain(reading));

  it.each(['Vladimir Putin', 'Владимир Путин', 'محمد', 'Żółć', '王毅', ''])('of %s is one alone', (name) =>
    expect(readings(name)).toEqual([
      wordsOf(name, readHan)
        .map((w) => w.text)
        .join(' '),
    ]),
  );

  it('of the longest name are few', () => {
    for (const name of ['ル・'.repeat(100), 'שלום '.repeat(60), '이'.repeat(200)])
      expect(readings(name).length).toBeLessThan(16);
  });
});

describe('wordsOf', () => {
  it('leaves out titles, legal forms and articles, and joins compounds', () => {
    const of = (name: string) => words(name).map((w) => w.text);
    expect(of('Dr. Ayman al-Zawahiri')).toEqual(['ayman', 'zawahiri']);
    expect(of('Lagos Books Ltd.')).toEqual(['lagos', 'books']);
    expect(of('Acme L.L.C.')).toEqual(['acme']);
    for (const name of ['Abd al-Rahman Yasin', 'Abdul Rahman Yasin', 'Abdurrahman Yasin', 'ABDULRAHMAN YASIN'])
      expect(of(name)).toEqual(['abdrahman', 'yasin']);
    expect(of('Ltd')).toEqual(['ltd']);
  });
});

describe('the score of two names', () => {
  it.each([
    ['PUTIN, Vladimir Vladimirovich', 'Vladimir Putin'],
    ['Владимир Путин', 'Vladimir Putin'],
    ["Mu'ammar al-Qadhafi", 'Muammar Gaddafi'],
    ['صدام حسين', 'Saddam Hussein'],
    ['习近平', 'Xi Jinping'],
    ['Kim Jong-un', 'KIM JONG UN'],
    ['Osama bin Laden', 'Usama bin Ladin'],
    ['V. Putin', 'Vladimir Putin'],
    ['Vladimri Putin', 'Vladimir Putin'],
    ['Rosneft Trading SA', 'ROSNEFT'],
    ['Mohd. Faizal Abdullah', 'Mohammed Faisal Abdullah'],
    ['MUHD FAIZAL', 'Muhammad Faizal'],
  ])('is 85 or more of %s and %s', (a, b) => {
    expect(score(a, b)).toBeGreaterThanOrEqual(85);
    expect(score(b, a)).toBeGreaterThanOrEqual(85);
  });

  it.each([
    ['Lagos Books Ltd', 'Lagos Trading Company Ltd'],
    ['John Smith', 'Jane Smith'],
    ['Vladimir Petrov', 'Vladimir Putin'],
    ['Ahmed Hassan', 'Hassan Rouhani'],
    ['General Trading LLC', 'General Shipping LLC'],
    ['Ali', 'Ali Hassan Mahmoud'],
  ])('is less than 85 of %s and %s', (a, b) => {
    expect(score(a, b)).toBeLessThan(85);
    expect(score(b, a)).toBeLessThan(85);
  });

  // The lists of OFAC, the UN, the EU and the UK have such names.
  it.each([
    ['Marine Industries Organization', 'MARINE INDUSTRIES ORGANIZATION'],
    ['Marine Industries Organisation', 'MARINE INDUSTRIES ORGANIZATION'],
    ['Oil Industries Engineering & Construction Co.', 'OIL INDUSTRIES ENGINEERING AND CONSTRUCTION'],
    ['Export Development Bank', 'EXPORT DEVELOPMENT BANK'],
    ['General Trading LLC', 'General Trading'],
    ['Bank', 'The Bank'],
    ['A. B. C.', 'A B C'],
  ])('is 98 or more of %s and %s, of words that many share alone', (a, b) => {
    expect(score(a, b)).toBeGreaterThanOrEqual(98);
    expect(score(b, a)).toBeGreaterThanOrEqual(98);
  });

  it.each([
    ['Marine Industries', 'Marine Industries Organization'],
    ['Development Bank', 'Export Development Bank'],
    ['General Trading', 'Trading'],
    ['J. S.', 'John Smith'],
  ])('is 0 of %s and %s, of which such words are a part', (a, b) => {
    expect(score(a, b)).toBe(0);
    expect(score(b, a)).toBe(0);
  });

  it('says which words were found alike, and how', () => {
    expect(scoreOfNames(words('V. Ladin Osama'), words('Usama Vasily Laden')).pairs).toEqual([
      { asked: 'ladin', listed: 'laden', by: 'SOUND', score: expect.any(Number) },
      { asked: 'osama', listed: 'usama', by: 'SOUND', score: expect.any(Number) },
      { asked: 'v', listed: 'vasily', by: 'INITIAL', score: 85 },
    ]);
  });
});

describe('what is known beside the name', () => {
  const entry = { ref: '1', kind: 'PERSON', names: [], keys: [], programmes: [] } as const;
  const of = (born: string, births: string[]) =>
    scoresBeside({ born }, { ...entry, births, countries: [] }).map((f) => f.score);

  it('raises the score for the same date of birth, and lowers it for another year', () => {
    expect(of('1952-10-07', ['1952-10-07'])).toEqual([5]);
    expect(of('1952', ['1952-10-07'])).toEqual([5]);
    expect(of('1953', ['1952-10-07'])).toEqual([0]);
    expect(of('1971-01-01', ['1952-10-07', '1958/1960'])).toEqual([-15]);
    expect(of('1959', ['1958/1960'])).toEqual([5]);
    expect(of('1959', [])).toEqual([]);
  });

  it('raises it for a country in common', () => {
    const by = (countries: string[]) =>
      scoresBeside({ countries }, { ...entry, births: [], countries: ['RU', 'CY'] }).map((f) => f.score);
    expect([by(['CY']), by(['NG']), by([])]).toEqual([[2], [-3], []]);
  });
});

describe('birthOf', () => {
  it.each([
    ['07 Oct 1952', '1952-10-07'],
    ['Oct 1952', '1952-10'],
    ['circa 1961', '1959/1963'],
    ['1958 to 1960', '1958/1960'],
    ['28/06/1960', '1960-06-28'],
    ['dd/mm/1970', '1970'],
    ['1937-04-28', '1937-04-28'],
  ])('reads %s as %s', (text, date) => expect(birthOf(text)).toBe(date));
  it('reads nothing out of text without a year', () => expect(birthOf('unknown')).toBeUndefined());
});

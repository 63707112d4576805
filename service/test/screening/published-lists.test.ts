// The forms in which publishers provide lists. The entries are made up or public facts; only the forms are theirs.
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../src/core/exchange/quotes.ts';
import { countryReader } from '../../src/core/screening/countries.ts';
import { readListFile } from '../../src/modules/screening/read-list.ts';
import { loadReference } from '../../src/platform/data-files.ts';

const country = countryReader(loadReference().countries);
const read = async (text: string) => {
  const { entries, ...file } = await readListFile(text, country);
  return { ...file, entries: [...entries.values()] };
};
const refusal = (text: string) =>
  readListFile(text, country).then(
    () => undefined,
    (e) => (e instanceof FileFault ? e.message : e),
  );

const sdn = (entries: string) => `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>11/25/2026</Publish_Date><Record_Count>2</Record_Count></publshInformation>
  ${entries}
</sdnList>`;

describe('the list of OFAC', () => {
  it('gives names, aliases, dates of birth, countries, programmes and wallets', async () => {
    const file = await read(
      sdn(`<sdnEntry><uid>4001</uid><firstName>Ivan</firstName><lastName>MADEUP</lastName><sdnType>Individual</sdnType>
        <programList><program>CYBER2</program></programList>
        <idList><id><uid>1</uid><idType>Digital Currency Address - XBT</idType><idNumber>12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h</idNumber></id>
          <id><uid>2</uid><idType>Passport</idType><idNumber>75 1234</idNumber><idCountry>Russia</idCountry></id>
          <id><uid>3</uid><idType>Digital Currency Address - ETH</idType><idNumber>0x098B716B8Aaf21512996dC57EB0615e2383E2f96</idNumber></id></idList>
        <akaList><aka><uid>5</uid><type>a.k.a.</type><category>weak</category><lastName>IVANKO</lastName></aka>
          <aka><uid>6</uid><type>a.k.a.</type><category>strong</category><lastName>MADEUPOV</lastName><firstName>Ivan</firstName></aka></akaList>
        <nationalityList><nationality><uid>7</uid><country>Russia</country><mainEntry>true</mainEntry></nationality></nationalityList>
        <dateOfBirthList><dateOfBirthItem><uid>8</uid><dateOfBirth>07 Oct 1980</dateOfBirth></dateOfBirthItem>
          <dateOfBirthItem><uid>9</uid><dateOfBirth>circa 1981</dateOfBirth></dateOfBirthItem></dateOfBirthList></sdnEntry>
        <sdnEntry><uid>4002</uid><lastName>MADE &amp; UP SHIPPING LTD</lastName><sdnType>Entity</sdnType></sdnEntry>`),
    );
    expect(file).toMatchObject({ form: 'OFAC_SDN_XML', list: 'OFAC_SDN', published: '2026-11-25' });
    expect(file.entries).toEqual([
      {
        ref: '4001',
        kind: 'PERSON',
        names: [{ name: 'Ivan MADEUP' }, { name: 'IVANKO', weak: true }, { name: 'Ivan MADEUPOV' }],
        births: ['1980-10-07', '1979/1983'],
        countries: ['RU'],
        keys: [
          { kind: 'wallet', value: '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h' },
          { kind: 'wallet', value: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96' },
        ],
        programmes: ['CYBER2'],
      },
      {
        ...{ ref: '4002', kind: 'ORGANISATION', names: [{ name: 'MADE & UP SHIPPING LTD' }] },
        ...{ births: [], countries: [], keys: [], programmes: [] },
      },
    ]);
  });

  it('is refused whole where it ends too early, has a type declaration, or is of another root', async () => {
    expect(await refusal(sdn('<sdnEntry><uid>1</uid>'))).toMatch(/unexpected close tag|unclosed tag|unmatched/i);
    expect(await refusal('<sdnList><sdnEntry><uid>1</uid><lastName>A</lastName></sdnEntry>')).toMatch(/unclosed tag/i);
    expect(await refusal('<!DOCTYPE sdnList [<!ENTITY a "b">]><sdnList/>')).toMatch(/type declaration is not allowed/);
    expect(await refusal('<html><body>Unavailable</body></html>')).toMatch(/a document <html> is not known/);
    expect(await refusal('<sdnList>&unknown;</sdnList>')).toMatch(/undefined entity/);
  });
});

describe('the list of the United Nations', () => {
  it('gives four parts of a name, original scripts, partial dates and low quality aliases', async () => {
    const file = await read(`<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="2026-11-24T23:00:04.871Z"><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID>
<FIRST_NAME>ADAM</FIRST_NAME><SECOND_NAME>OF</SECOND_NAME><THIRD_NAME>NOWHERE</THIRD_NAME><UN_LIST_TYPE>DRC</UN_LIST_TYPE>
<REFERENCE_NUMBER>CDi.901</REFERENCE_NUMBER><NAME_ORIGINAL_SCRIPT>آدم</NAME_ORIGINAL_SCRIPT>
<NATIONALITY><VALUE>Democratic Republic of the Congo</VALUE></NATIONALITY>
<INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Addy</ALIAS_NAME></INDIVIDUAL_ALIAS>
<INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
<INDIVIDUAL_ADDRESS><COUNTRY>Rwanda</COUNTRY></INDIVIDUAL_ADDRESS>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>1971</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1973</FROM_YEAR><TO_YEAR>1975</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
</INDIVIDUAL></INDIVIDUALS><ENTITIES><ENTITY><DATAID>2</DATAID><FIRST_NAME>MADE UP FORCES</FIRST_NAME>
<REFERENCE_NUMBER>CDe.902</REFERENCE_NUMBER><ENTITY_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>MUF</ALIAS_NAME></ENTITY_ALIAS>
</ENTITY></ENTITIES></CONSOLIDATED_LIST>`);
    expect(file).toMatchObject({ list: 'UN', published: '2026-11-24' });
    expect(file.entries).toMatchObject([
      {
        ref: 'CDi.901',
        kind: 'PERSON',
        names: [{ name: 'ADAM OF NOWHERE' }, { name: 'آدم' }, { name: 'Addy', weak: true }],
        births: ['1971', '1973/1975'],
        countries: ['CD', 'RW'],
        programmes: ['DRC'],
      },
      { ref: 'CDe.902', kind: 'ORGANISATION', names: [{ name: 'MADE UP FORCES' }, { name: 'MUF' }] },
    ]);
  });
});

describe('the list of the European Union', () => {
  it('is read as XML', async () => {
    const file = await read(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-21T17:00:34.049+01:00" globalFileId="1">
<sanctionEntity euReferenceNumber="EU.1.1" logicalId="13"><regulation programme="IRQ" logicalId="348"/>
<subjectType code="person" classificationCode="P"/>
<nameAlias firstName="Adam" middleName="" lastName="Madeup" wholeName="Adam Madeup" strong="true" logicalId="17"/>
<nameAlias firstName="Eve" middleName="B" lastName="Madeup" wholeName="" strong="false" logicalId="19"/>
<citizenship countryIso2Code="IQ" countryDescription="IRAQ"/><birthdate circa="false" birthdate="1937-04-28"/>
<birthdate yearRangeFrom="1930" yearRangeTo="1932"/></sanctionEntity>
<sanctionEntity euReferenceNumber="EU.2.1" logicalId="14"><subjectType code="enterprise"/>
<nameAlias wholeName="Madeup Trading"/><address countryIso2Code="RU"/></sanctionEntity></export>`);
    expect(file).toMatchObject({ list: 'EU', published: '2026-11-21' });
    expect(file.entries).toMatchObject([
      {
        ref: 'EU.1.1',
        kind: 'PERSON',
        names: [{ name: 'Adam Madeup' }, { name: 'Eve B Madeup', weak: true }],
        births: ['1937-04-28', '1930/1932'],
        countries: ['IQ'],
        programmes: ['IRQ'],
      },
      { ref: 'EU.2.1', kind: 'ORGANISATION', countries: ['RU'] },
    ]);
  });

  it('is read as CSV, one row for each part of an entry', async () => {
    const file = await read(
      '\uFEFFfileGenerationDate;Entity_LogicalId;Entity_EU_ReferenceNumber;Entity_SubjectType;NameAlias_WholeName;BirthDate_BirthDate;Citizenship_CountryIso2Code\n' +
        '05/08/2026;77;EU.77.1;P;Pedro Madeup;1970-02-03;\n05/08/2026;77;EU.77.1;P;Pedro Inventado;;CO\n',
    );
    expect(file.entries).toMatchObject([
      {
        ref: 'EU.77.1',
        kind: 'PERSON',
        names: [{ name: 'Pedro Madeup' }, { name: 'Pedro Inventado' }],
        births: ['1970-02-03'],
        countries: ['CO'],
      },
    ]);
  });
});

describe('the lists of the United Kingdom', () => {
  it('are read as XML', async () => {
    const file =
      await read(`<?xml version="1.0" encoding="utf-8"?><Designations><DateGenerated>10/06/2026</DateGenerated>
<Designation><UniqueID>MAD0001</UniqueID><RegimeName>Madeup</RegimeName><IndividualEntityShip>Individual</IndividualEntityShip>
<Names><Name><Name1>Lex</Name1><Name6>Alias</Name6><NameType>Alias</NameType><AliasStrength>Low quality a.k.a</AliasStrength></Name>
<Name><Name1>Alexander</Name1><Name6>Madeup</Name6><NameType>Primary Name</NameType></Name></Names>
<NonLatinNames><NonLatinName><NameNonLatinScript>Александр</NameNonLatinScript></NonLatinName></NonLatinNames>
<IndividualDetails><Individual><DOBs><DOB>12/04/1976</DOB></DOBs><Nationalities><Nationality>Russia</Nationality></Nationalities></Individual></IndividualDetails>
</Designation></Designations>`);
    expect(file).toMatchObject({ list: 'UK', published: '2026-06-10' });
    expect(file.entries).toMatchObject([
      {
        ref: 'MAD0001',
        kind: 'PERSON',
        names: [{ name: 'Alexander Madeup' }, { name: 'Lex Alias', weak: true }, { name: 'Александр' }],
        births: ['1976-04-12'],
        countries: ['RU'],
        programmes: ['Madeup'],
      },
    ]);
  });

  it('are read as CSV with a line before the header, rows of one group together, quotes over several lines', async () => {
    const file = await read(
      'Last Updated,03/06/2026\nName 6,Name 1,Name 2,Name 3,Name 4,Name 5,DOB,Nationality,Other Information,Group Type,Alias Type,Regime,Group ID\n' +
        'MADEUP,Ana,Maria,,,,12/04/1976,Colombia,"first line\nsecond, line",Individual,Primary name,Global,500\n' +
        'INVENTADA,Ana,,,,,,,,Individual,AKA,Global,500\n',
    );
    expect(file.entries).toMatchObject([
      {
        ref: '500',
        kind: 'PERSON',
        names: [{ name: 'Ana Maria MADEUP' }, { name: 'Ana INVENTADA' }],
        births: ['1976-04-12'],
        countries: ['CO'],
      },
    ]);
  });

  it('are read as the older XML, one element for each name', async () => {
    const target = (name: string) =>
      `<FinancialSanctionsTarget><Name6>${name}</Name6><name1>Ana</name1><GroupTypeDescription>Individual</GroupTypeDescription><GroupID>7</GroupID><RegimeName>Global</RegimeName></FinancialSanctionsTarget>`;
    const file = await read(
      `<ArrayOfFinancialSanctionsTarget xmlns="http://schemas.hmtreasury.gov.uk/ofsi/consolidatedlist">${target('MADEUP')}${target('OTHER')}</ArrayOfFinancialSanctionsTarget>`,
    );
    expect(file.entries).toMatchObject([{ ref: '7', names: [{ name: 'Ana MADEUP' }, { name: 'Ana OTHER' }] }]);
  });
});

describe('dates of birth', () => {
  const inSdn = async (date: string) => {
    const born = `<dateOfBirthList><dateOfBirthItem><dateOfBirth>${date}</dateOfBirth></dateOfBirthItem></dateOfBirthList>`;
    const file = await read(sdn(`<sdnEntry><uid>1</uid><lastName>A</lastName>${born}</sdnEntry>`));
    return file.entries[0]?.births;
  };

  it.each([
    ['12 May 1970', '1970-05-12'],
    ['18 Sept 1970', '1970-09-18'],
    ['May 1970', '1970-05'],
    ['1970', '1970'],
    // As the UK and the UN write what they do not know.
    ['00/00/1965', '1965'],
    ['dd/mm/1965', '1965'],
    ['00/05/1965', '1965-05'],
    ['1965-00-00', '1965'],
    ['1965-02-30', '1965-02'],
    ['1970 to 1975', '1970/1975'],
    ['01 Jan 1955 to 31 Dec 1958', '1955-01-01/1958-12-31'],
    ['Sep 1961 to Oct 1963', '1961-09/1963-10'],
    ['Between 1950 and 1955', '1950/1955'],
    ['1961 or 1960', '1960/1961'],
    ['1950s', '1950/1959'],
    // Two years to either side of what is approximate.
    ['circa 1962', '1960/1964'],
    ['circa 1957 to circa 1958', '1955/1960'],
    ['c. 05 May 1964', '1962/1966'],
  ])('%s is %s', async (published, born) => expect(await inSdn(published)).toEqual([born]));

  it('are left out where they are of another calendar, or have no year', async () => {
    expect(await inSdn('1350-02-03')).toEqual([]);
    expect(await inSdn('unknown')).toEqual([]);
  });

  it('are approximate where the publisher says so beside the date', async () => {
    const of = '<REFERENCE_NUMBER>A</REFERENCE_NUMBER><FIRST_NAME>ADAM</FIRST_NAME>';
    const rough = '<TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1970</YEAR>';
    const un = await read(
      `<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL>${of}<INDIVIDUAL_DATE_OF_BIRTH>${rough}</INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`,
    );
    expect(un.entries[0]?.births).toEqual(['1968/1972']);
    const eu = await read(
      '<export><sanctionEntity logicalId="1"><nameAlias wholeName="A"/><birthdate circa="true" year="1970"/></sanctionEntity></export>',
    );
    expect(eu.entries[0]?.births).toEqual(['1968/1972']);
  });
});

describe('dates of birth that a publisher writes elsewhere', () => {
  it("are read from the UN's note where no date is given", async () => {
    const born = (note: string) =>
      `<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><NOTE>${note}</NOTE></INDIVIDUAL_DATE_OF_BIRTH>`;
    const of = '<REFERENCE_NUMBER>A</REFERENCE_NUMBER><FIRST_NAME>ADAM</FIRST_NAME>';
    const notes = ['Nov. 1973', 'Between Aug. and Sep. 1977', '24/06/1402 (Hijri Calendar)', '30-35 years old'];
    const file = await read(
      `<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL>${of}${notes.map(born).join('')}</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`,
    );
    expect(file.entries[0]?.births).toEqual(['1973-11', '1977']);
  });

  it('have the month that the EU gives beside the year, in XML and as CSV', async () => {
    const xml = await read(
      '<export><sanctionEntity logicalId="1"><nameAlias wholeName="A"/><birthdate circa="false" calendarType="GREGORIAN" monthOfYear="4" year="1973"/></sanctionEntity></export>',
    );
    expect(xml.entries[0]?.births).toEqual(['1973-04']);
    const csv = await read(
      'Entity_LogicalId;NameAlias_WholeName;BirthDate_BirthDate;BirthDate_Day;BirthDate_Month;BirthDate_Year\n7;Eva Madeup;;;11;1940\n',
    );
    expect(csv.entries[0]?.births).toEqual(['1940-11']);
  });
});

describe('countries', () => {
  it.each([
    // The UN's, with the short names of ISO 3166-1.
    ['State of Palestine', 'PS'],
    ['Congo', 'CG'],
    ['Bolivia (Plurinational State of)', 'BO'],
    ['Venezuela (Bolivarian Republic of)', 'VE'],
    ['Micronesia (Federated States of)', 'FM'],
    ['Netherlands (Kingdom of the)', 'NL'],
    ['Holy See', 'VA'],
    ['China, Hong Kong Special Administrative Region', 'HK'],
    ['Brunei Darussalam', 'BN'],
    // OFAC's.
    ['Bahamas, The', 'BS'],
    ['Palestinian', 'PS'],
    ['West Bank', 'PS'],
    ['Region: Gaza', 'PS'],
    ['Region: Crimea', 'UA'],
    ['Virgin Islands, British', 'VG'],
    ['Man, Isle of', 'IM'],
    ['Macau', 'MO'],
    ['North Macedonia, The Republic of', 'MK'],
    ['Korea, North', 'KP'],
    // The UK's.
    ['Occupied Palestinian Territories', 'PS'],
    ['Myanmar (Burma)', 'MM'],
    ['St Kitts and Nevis', 'KN'],
    ['St. Vincent', 'VC'],
    ['The Bahamas', 'BS'],
    ['Curacao', 'CW'],
    ['Congo (Democratic Republic)', 'CD'],
    ['UAE', 'AE'],
    ['ST', 'ST'],
  ])('%s is %s', (name, code) => expect(country(name)).toBe(code));

  it.each(['stateless', 'Undetermined', 'Region: Kafia Kingi', 'Narnia'])('%s is none', (name) => {
    expect(country(name)).toBeUndefined();
  });

  it('are each read where the UK numbers them in one cell', async () => {
    const csv = await read('Name 6,Name 1,Nationality,Group ID\nMADEUP,Ana,(1) Syria. (2) Italy,500\n');
    expect(csv.entries[0]?.countries).toEqual(['SY', 'IT']);
    const xml = await read(
      '<ArrayOfFinancialSanctionsTarget><FinancialSanctionsTarget><Name6>A</Name6><GroupID>7</GroupID><Nationality>(1) Syria (2) Italy</Nationality></FinancialSanctionsTarget></ArrayOfFinancialSanctionsTarget>',
    );
    expect(xml.entries[0]?.countries).toEqual(['SY', 'IT']);
  });
});

describe('an entry in several rows', () => {
  it('has a name that one of them does not call weak as one that counts, whichever comes first', async () => {
    const row = (strength: string) => `MADEUP,Ana,Individual,500,${strength}\n`;
    for (const rows of [row('') + row('Low quality a.k.a'), row('Low quality a.k.a') + row('')]) {
      const file = await read(`Name 6,Name 1,Group Type,Group ID,Alias Quality\n${rows}`);
      expect(file.entries[0]?.names).toEqual([{ name: 'Ana MADEUP' }]);
    }
  });

  it('of the EU has the parts of a name that is not written whole, and the years of a range', async () => {
    const file = await read(
      'Entity_LogicalId;Entity_SubjectType;NameAlias_LastName;NameAlias_FirstName;NameAlias_MiddleName;NameAlias_WholeName;BirthDate_BirthDate;BirthDate_Year;BirthDate_YearRangeFrom;BirthDate_YearRangeTo;BirthDate_Circa\n' +
        '7;P;Madeup;Eve;B;;;;1930;1932;\n7;P;;;;Eva Madeup;;1940;;;true\n',
    );
    expect(file.entries).toMatchObject([
      { names: [{ name: 'Eve B Madeup' }, { name: 'Eva Madeup' }], births: ['1930/1932', '1938/1942'] },
    ]);
  });
});

describe('a table in the plain form', () => {
  it('gives names, dates, countries and exact keys', async () => {
    const file = await read(
      'Ref,Type,Name,Aliases,Born,Countries,Programmes,Keys\n' +
        'P-1,PERSON,Adam Minister,Addy M;A. Minister,1960-05-01,NG,Minister of Works,\n' +
        'K-1,,,,,,,wallet:bc1qmadeup;ip:198.51.100.0/24;mcc:7995;msisdn:+234803;country:KP\n',
    );
    expect(file.list).toBeUndefined();
    expect(file.entries).toMatchObject([
      {
        ref: 'P-1',
        names: [{ name: 'Adam Minister' }, { name: 'Addy M' }, { name: 'A. Minister' }],
        countries: ['NG'],
      },
      {
        ref: 'K-1',
        kind: 'KEY',
        names: [],
        keys: [{ kind: 'wallet', value: 'bc1qmadeup' }, { kind: 'ip' }, {}, {}, {}],
      },
    ]);
  });

  it.each([
    ['Ref,Type,Name\nA,ROBOT,Adam\n', /the type 'ROBOT' is not one of/],
    ['Ref,Type,Name\n,PERSON,Adam\n', /an entry needs a Ref/],
    ['Ref,Type,Name\nA,PERSON,\n', /the entry A has neither a name nor a key/],
    ['Ref,Type,Name,Countries\nA,PERSON,Adam,Narnia\n', /the country 'Narnia' is not known/],
    ['Ref,Type,Name,Born\nA,PERSON,Adam,long ago\n', /a date of birth without a year/],
    ['Ref,Type,Name,Keys\nA,KEY,,shoe:42\n', /the key 'shoe:42' is not one of wallet:…/],
    ['one,two\n1,2\n', /its form is not known/],
  ])('is refused: %s', async (text, why) => expect(await refusal(text)).toMatch(why));
});

// The advanced form of OFAC's list: the same persons as in the simple form, with their names in other scripts, read in a stream
// and condensed. The entries are made up; only the forms are the publisher's.
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { condensedList } from '../../src/adapters/cli/large-list.ts';
import { filesAt } from '../../src/adapters/cli/source-files.ts';
import type { CommandEnvironment } from '../../src/adapters/cli/surroundings.ts';
import { FileFault } from '../../src/core/exchange/quotes.ts';
import { countryReader } from '../../src/core/screening/countries.ts';
import { condensed } from '../../src/modules/screening/index.ts';
import { readListFile } from '../../src/modules/screening/read-list.ts';
import { loadReference } from '../../src/platform/data-files.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { makeFolder } from '../support/folder.ts';
import { contentOf } from '../support/guarantees.ts';

const country = countryReader(loadReference().countries);
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const simple = `<?xml version="1.0" standalone="yes"?>
<sdnList><publshInformation><Publish_Date>11/25/2026</Publish_Date></publshInformation>
<sdnEntry><uid>4001</uid><firstName>Ivan Petrovich</firstName><lastName>MADEUP</lastName><sdnType>Individual</sdnType>
  <programList><program>CYBER2</program></programList>
  <idList><id><idType>Digital Currency Address - XBT</idType><idNumber>12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h</idNumber></id>
    <id><idType>Digital Currency Address - ETH</idType><idNumber>0x098B716B8Aaf21512996dC57EB0615e2383E2f96</idNumber></id></idList>
  <akaList><aka><category>weak</category><lastName>IVANKO</lastName></aka></akaList>
  <nationalityList><nationality><country>Russia</country></nationality></nationalityList>
  <addressList><address><country>Cyprus</country></address></addressList>
  <dateOfBirthList><dateOfBirthItem><dateOfBirth>07 Oct 1980</dateOfBirth></dateOfBirthItem>
    <dateOfBirthItem><dateOfBirth>circa 1981</dateOfBirth></dateOfBirthItem>
    <dateOfBirthItem><dateOfBirth>Feb 1984</dateOfBirth></dateOfBirthItem>
    <dateOfBirthItem><dateOfBirth>1985 to 1987</dateOfBirth></dateOfBirthItem></dateOfBirthList></sdnEntry>
<sdnEntry><uid>4002</uid><lastName>MADE &amp; UP SHIPPING LTD</lastName><sdnType>Entity</sdnType>
  <programList><program>SDGT</program><program>IFSR</program></programList></sdnEntry>
<sdnEntry><uid>4003</uid><lastName>MADE UP STAR</lastName><sdnType>Vessel</sdnType></sdnEntry></sdnList>`;

const day = (tag: string, at: string) => {
  const [year, month, date] = at.split('-').map(Number);
  return `<${tag}><Year>${year}</Year><Month>${month}</Month><Day>${date}</Day></${tag}>`;
};
const born = (from: string, to: string, rough = false) =>
  `<FeatureVersion><DatePeriod CalendarTypeID="1"><Start Approximate="${rough}">${day('From', from)}${day('To', from)}</Start>
   <End Approximate="${rough}">${day('From', to)}${day('To', to)}</End></DatePeriod></FeatureVersion>`;
const part = (group: number, script: number, text: string) =>
  `<DocumentedNamePart><NamePartValue NamePartGroupID="${group}" ScriptID="${script}" ScriptStatusID="1">${text}</NamePartValue></DocumentedNamePart>`;
const party = (ref: number, subtype: number, inside: string, features = '') =>
  `<DistinctParty FixedRef="${ref}"><Comment /><Profile ID="${ref}" PartySubTypeID="${subtype}"><Identity ID="${ref}1" FixedRef="${ref}" Primary="true">${inside}
   <NamePartGroups><MasterNamePartGroup><NamePartGroup ID="1" NamePartTypeID="1520" /></MasterNamePartGroup>
   <MasterNamePartGroup><NamePartGroup ID="2" NamePartTypeID="1521" /></MasterNamePartGroup></NamePartGroups></Identity>${features}</Profile></DistinctParty>`;
const alias = (names: string, of = 'Primary="true" LowQuality="false"') =>
  `<Alias AliasTypeID="1403" ${of}>${names.replace(/\{(.*?)\}/gs, '<DocumentedName ID="1" DocNameStatusID="1">$1</DocumentedName>')}</Alias>`;
const program = (ref: number, ...codes: string[]) =>
  `<SanctionsEntry ID="${ref}" ProfileID="${ref}" ListID="1550"><EntryEvent ID="1"><Comment>not one</Comment></EntryEvent>
   ${codes.map((c) => `<SanctionsMeasure SanctionsTypeID="1"><Comment>${c}</Comment></SanctionsMeasure>`).join('')}
   <SanctionsMeasure SanctionsTypeID="2"><Comment /></SanctionsMeasure></SanctionsEntry>`;

const advanced = `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ADVANCED_XML" Version="1">
<DateOfIssue CalendarTypeID="1"><Year>2026</Year><Month>11</Month><Day>25</Day></DateOfIssue>
<ReferenceValueSets>
  <CountryValues><Country ID="11139" ISO2="RU">Russia</Country><Country ID="11062" ISO2="CY">Cyprus</Country></CountryValues>
  <FeatureTypeValues><FeatureType ID="8">Birthdate</FeatureType><FeatureType ID="9">Place of Birth</FeatureType>
    <FeatureType ID="10">Nationality Country</FeatureType><FeatureType ID="25">Location</FeatureType>
    <FeatureType ID="344">Digital Currency Address - XBT</FeatureType><FeatureType ID="345">Digital Currency Address - ETH</FeatureType></FeatureTypeValues>
  <NamePartTypeValues><NamePartType ID="1520">Last Name</NamePartType><NamePartType ID="1521">First Name</NamePartType></NamePartTypeValues>
  <PartyTypeValues><PartyType ID="1">Individual</PartyType><PartyType ID="2">Entity</PartyType><PartyType ID="4">Transport</PartyType></PartyTypeValues>
  <PartySubTypeValues><PartySubType ID="1" PartyTypeID="4">Vessel</PartySubType><PartySubType ID="3" PartyTypeID="2">Unknown</PartySubType>
    <PartySubType ID="4" PartyTypeID="1">Unknown</PartySubType></PartySubTypeValues>
  <SanctionsTypeValues><SanctionsType ID="1">Program</SanctionsType><SanctionsType ID="2">Block</SanctionsType></SanctionsTypeValues>
  <ScriptValues><Script ID="215" ScriptCode="Latn">Latin</Script><Script ID="220" ScriptCode="Cyrl">Cyrillic</Script></ScriptValues>
</ReferenceValueSets>
<Locations><Location ID="1"><LocationCountry CountryID="11139" /></Location><Location ID="2"><LocationPart LocPartTypeID="1454"><LocationPartValue><Value>Limassol</Value></LocationPartValue></LocationPart><LocationCountry CountryID="11062" /></Location></Locations>
<IDRegDocuments><IDRegDocument ID="1" IDRegDocTypeID="1571" IdentityID="40011"><IDRegistrationNo>75 1234</IDRegistrationNo></IDRegDocument></IDRegDocuments>
<DistinctParties>
${party(
  4001,
  4,
  `${alias(`{${part(1, 215, 'IVANKO')}}`, 'Primary="false" LowQuality="true"')}
   ${alias(`{${part(1, 220, 'МАДЕУП')}${part(2, 220, 'Иван')}}{${part(1, 215, 'MADEUP')}${part(2, 215, 'Ivan Petrovich')}}`)}`,
  `<Feature ID="1" FeatureTypeID="8">${born('1980-10-07', '1980-10-07')}${born('1981-01-01', '1981-12-31', true)}${born('1984-02-01', '1984-02-29')}${born('1985-01-01', '1987-12-31')}</Feature>
   <Feature ID="2" FeatureTypeID="9"><FeatureVersion><VersionDetail DetailTypeID="1432">Limassol</VersionDetail></FeatureVersion></Feature>
   <Feature ID="3" FeatureTypeID="10"><FeatureVersion><VersionLocation LocationID="1" /></FeatureVersion></Feature>
   <Feature ID="4" FeatureTypeID="25"><FeatureVersion><VersionLocation LocationID="2" /></FeatureVersion></Feature>
   <Feature ID="5" FeatureTypeID="344"><FeatureVersion><VersionDetail DetailTypeID="1432">12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h</VersionDetail></FeatureVersion></Feature>
   <Feature ID="6" FeatureTypeID="345"><FeatureVersion><VersionDetail DetailTypeID="1432">0x098B716B8Aaf21512996dC57EB0615e2383E2f96</VersionDetail></FeatureVersion></Feature>`,
)}
${party(4002, 3, alias(`{${part(3, 215, 'MADE &amp; UP SHIPPING LTD')}}`))}
${party(4003, 1, alias(`{${part(3, 215, 'MADE UP STAR')}}`))}
</DistinctParties>
<SanctionsEntries>${program(4001, 'CYBER2')}${program(4002, 'SDGT', 'IFSR')}${program(9999, 'OF NOBODY')}</SanctionsEntries>
</Sanctions>`;

/** In parts of so many bytes, which cut tags and characters anywhere. */
async function* parts(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

describe('the advanced form', () => {
  it('has the persons of the simple form with the same facts, and their names in other scripts besides', async () => {
    const [plain, full] = [await readListFile(simple, country), await readListFile(advanced, country)];
    expect(full).toMatchObject({ form: 'OFAC_ADVANCED_XML', list: 'OFAC_SDN', published: plain.published });
    expect([...full.entries.keys()].sort()).toEqual([...plain.entries.keys()].sort());
    for (const [ref, entry] of plain.entries) {
      const { names, ...facts } = entry;
      expect(full.entries.get(ref), ref).toMatchObject(facts);
      for (const name of names) expect(full.entries.get(ref)?.names).toContainEqual(name);
    }
    expect(full.entries.get('4001')?.names).toEqual([
      { name: 'Ivan Petrovich MADEUP' },
      { name: 'МАДЕУП Иван' },
      { name: 'IVANKO', weak: true },
    ]);
    expect(full.entries.get('4001')?.births).toEqual(['1980-10-07', '1979/1983', '1984-02', '1985/1987']);
  });

  it('is the same condensed, wherever its parts are cut, with the hash of the file', async () => {
    const whole = await readListFile(advanced, country);
    for (const bytes of [1, 7, 4096]) {
      const { sha256, ...file } = await readListFile(await condensed(parts(advanced, bytes), country), country);
      expect(file).toEqual(whole);
      expect(sha256).toBe(hash(advanced));
    }
  });

  it('is condensed by the command that loads it if it is too large to be sent, and else sent as it is', async () => {
    const cwd = makeFolder('assay-lists-');
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    writeFileSync(join(cwd, 'sdn_advanced.xml'), advanced);
    const around = { cwd } as CommandEnvironment;
    const [large] = await filesAt(around, 'sdn_advanced.xml', 1_000, condensedList);
    expect(large).toEqual({ name: 'sdn_advanced.xml', text: await condensed(parts(advanced, 4096), country) });
    const [small] = await filesAt(around, '.', 1_000_000, condensedList);
    expect(small).toEqual({ name: 'sdn_advanced.xml', text: advanced });
    writeFileSync(join(cwd, 'large.csv'), 'Ref,Name\n'.repeat(200));
    await expect(filesAt(around, 'large.csv', 1_000, condensedList)).rejects.toThrow(/large\.csv cannot be read/);
  });

  it('is refused with its place if a line of the condensed form is none, and if the file is cut off', async () => {
    const lines = (await condensed(parts(advanced, 4096), country)).split('\n');
    const wrong = async (text: string) =>
      readListFile(text, country).then(
        () => undefined,
        (e) => (e instanceof FileFault ? e.message : e),
      );
    expect(await wrong([...lines, '{"ref":"1"}'].join('\n'))).toBe('a line is no entry of a list');
    expect(await wrong([...lines, lines[1]].join('\n'))).toMatch(/the number 400\d is there twice/);
    expect(await wrong(lines.join('\n').replace(/"sha256":"\w{60}/, '"sha256":"'))).toMatch(/first line/);
    expect(await wrong(lines.join('\n').slice(0, -4))).toBe('a line is no JSON');
    await expect(condensed(parts(advanced.slice(0, -30), 4096), country)).rejects.toThrow(FileFault);
  });
});

describe('loading it', () => {
  let t: TestApp;
  let operator: Account;
  beforeAll(async () => {
    t = await makeTestApp();
    operator = await t.makeOperator();
  });
  afterAll(() => t?.stop());

  it('changes nothing of who is listed, and finds a name in its own letters', async () => {
    const load = async (text: string) =>
      contentOf(await t.post('/v1/lists', { name: 'sdn.xml', text }, operator.apiKey));
    await load(simple);
    const text = await condensed(parts(advanced, 4096), country);
    const loaded = await load(text);
    expect(loaded).toMatchObject({ form: 'OFAC_ADVANCED_XML', entries: 3, added: 0, changed: 1, removed: 0 });
    expect(loaded.sha256).toBe(hash(advanced));
    expect((await load(advanced)).loadIds).toEqual([]);
    const found = contentOf(await t.post('/v1/lists/search', { name: 'Иван Мадеуп' }, operator.apiKey));
    expect(found.items).toMatchObject([{ list: 'OFAC_SDN', entry: { ref: '4001' } }]);
  });
});

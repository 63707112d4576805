// Published files in their real forms. Figures are facts that the publishers stated; where each was read stands beside it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readXml } from '../../platform/xml-elements.ts';
import type { Quote, RateFile } from './quotes.ts';
import { FileFault } from './quotes.ts';
import { readRateFile } from './rate-file.ts';

const read = (text: string, from = '2000-01-01'): RateFile => {
  const file = readRateFile(text, from, readXml);
  if (file instanceof FileFault) throw file;
  return file;
};
const refused = (text: string): string => {
  const file = readRateFile(text, '2000-01-01', readXml);
  return file instanceof FileFault ? file.message : `read ${file.quotes.length} rates`;
};
/** A rate as a person says it. */
const said = (text: string, currency: string, day: string): string | undefined => {
  const { publisher, kind, quotes } = read(text);
  const q = quotes.find((r) => r.currency === currency && r.day === day);
  return q && `${publisher} ${kind} ${q.units} ${q.per === 'BASE' ? 'of its own' : currency}: ${q.rate}`;
};

/** The form of eurofxref-daily.xml and eurofxref-hist.xml. */
const ecbXml = (days: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>${days}</Cube>
</gesmes:Envelope>`;

const bnrXml = (body: string) => `<?xml version="1.0" encoding="utf-8"?>
<DataSet xmlns="https://www.bnr.ro/xsd" xmlns:xsi="https://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="https://curs.bnr.ro/xsd/nbrfxrates.xsd"><Header><Publisher>National Bank of Romania</Publisher><PublishingDate>2026-01-05</PublishingDate><MessageType>DR</MessageType></Header><Body><Subject>Reference rates</Subject><OrigCurrency>RON</OrigCurrency>${body}</Body></DataSet>`;

const tcmbXml = `<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="isokur.xsl"?>
<Tarih_Date Tarih="08.07.2024" Date="07/08/2024"  Bulten_No="2024/126" >
	<Currency CrossOrder="0" Kod="USD" CurrencyCode="USD">
			<Unit>1</Unit>
			<Isim>ABD DOLARI</Isim>
			<CurrencyName>US DOLLAR</CurrencyName>
			<ForexBuying>32.6401</ForexBuying>
			<ForexSelling>32.6989</ForexSelling>
			<BanknoteBuying>32.6172</BanknoteBuying>
			<BanknoteSelling>32.7479</BanknoteSelling>
			<CrossRateUSD/>
			<CrossRateOther/>
	</Currency>
	<Currency CrossOrder="30" Kod="KZT" CurrencyCode="KZT">
			<Unit>1</Unit>
			<Isim>KAZAKİSTAN TENGESİ</Isim>
			<CurrencyName>KAZAKHSTAN TENGE</CurrencyName>
			<ForexBuying></ForexBuying>
			<ForexSelling/>
			<CrossRateUSD/>
	</Currency>
</Tarih_Date>`;

describe('published files', () => {
  it('reads the European Central Bank: one euro was 1.0956 dollars on 2 January 2024', () => {
    // ECB reference rates (EXR.D.USD.EUR.SP00.A), 2 and 3 January 2024.
    const xml = ecbXml(`
		<Cube time="2024-01-03"><Cube currency="USD" rate="1.0919"/><Cube currency="CNY" rate="7.8057"/></Cube>
		<Cube time='2024-01-02'>
			<Cube currency='USD' rate='1.0956'/>
		</Cube>`);
    expect(said(xml, 'USD', '2024-01-02')).toBe('ECB DAY 1 of its own: 1.0956');
    expect(said(xml, 'CNY', '2024-01-03')).toBe('ECB DAY 1 of its own: 7.8057');
    const csv = 'Date,USD,CYP,CNY,\n2024-01-03,1.0919,N/A,7.8057,\n2024-01-02,1.0956,N/A,7.8264,\n';
    expect(said(csv, 'CNY', '2024-01-02')).toBe('ECB DAY 1 of its own: 7.8264');
    expect(read(csv).quotes.map((q) => q.currency)).not.toContain('CYP');
    expect(said('Date, USD, CNY, \n02 January 2024, 1.0956, 7.8264, \n', 'USD', '2024-01-02')).toMatch(/1\.0956$/);
  });

  it('reads HMRC’s monthly rates: in January 2020 a pound was 1.905 Australian dollars', () => {
    // HMRC exchange rates for January 2020.
    const xml = `<?xml version="1.0" encoding="UTF-8"?>
<exchangeRateMonthList Period="01/Jan/2020 to 31/Jan/2020">
  <exchangeRate>
    <countryName>Abu Dhabi</countryName>
    <countryCode>AE</countryCode>
    <currencyName>Dirham</currencyName>
    <currencyCode>AED</currencyCode>
    <rateNew>4.8012</rateNew>
  </exchangeRate>
  <exchangeRate>
    <countryName>Dubai</countryName>
    <countryCode>DU</countryCode>
    <currencyName>Dirham</currencyName>
    <currencyCode>AED</currencyCode>
    <rateNew>4.8012</rateNew>
  </exchangeRate>
</exchangeRateMonthList>`;
    expect(said(xml, 'AED', '2020-01-01')).toBe('HMRC MONTH 1 of its own: 4.8012');
    expect(read(xml).quotes).toHaveLength(1);
    const csv =
      'Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date\n"Australia, Commonwealth of",Dollar,AUD,1.905,01/01/2020,31/01/2020\n';
    expect(said(csv, 'AUD', '2020-01-01')).toBe('HMRC MONTH 1 of its own: 1.905');
    const columns =
      'Period,countryName,countryCode,currencyName,currencyCode,rateNew\n01/Jan/2020 to 31/Jan/2020,Angola,AO,Kwanza,AOA,598.72\n';
    expect(said(columns, 'AOA', '2020-01-01')).toBe('HMRC MONTH 1 of its own: 598.72');
    expect(refused(csv.replace('31/01/2020', '31/12/2020'))).toMatch(/^line 2: .* is not a whole month/);
    expect(refused(xml.replace('4.8012', '4.8013'))).toMatch(/^line 10: AED has two rates for 2020-01-01/);
  });

  it('reads Narodowy Bank Polski: table, archive and API, each in its units', () => {
    // Table 001/A/NBP/2024 of 2 January 2024, and 041/A/NBP/2026 of 2 March 2026.
    const archive =
      'data;1USD;1EUR;100HUF;100JPY;nr tabeli;pełny numer tabeli;\n;dolar;euro;forint;jen;;;\n20240102;3,9432;4,3434;1,1365;2,7855;1;001/A/NBP/2024;\n20240103;3,9909;4,3646;1,1462;2,7977;2;002/A/NBP/2024;\nkod ISO;USD;EUR;HUF;JPY;;;\nnazwa waluty;dolar;euro;forint;jen;;;\nliczba jednostek;1;1;100;100;;;\n';
    expect(said(archive, 'USD', '2024-01-02')).toBe('NBP DAY 1 USD: 3.9432');
    expect(said(archive, 'HUF', '2024-01-03')).toBe('NBP DAY 100 HUF: 1.1462');
    const table = `<?xml version="1.0" encoding="ISO-8859-2"?>
<tabela_kursow typ="A" uid="13a001">
   <numer_tabeli>001/A/NBP/2013</numer_tabeli>
   <data_publikacji>2013-01-02</data_publikacji>
   <pozycja>
      <nazwa_waluty>bat (Tajlandia)</nazwa_waluty>
      <przelicznik>100</przelicznik>
      <kod_waluty>THB</kod_waluty>
      <kurs_sredni>0,1009</kurs_sredni>
   </pozycja>
</tabela_kursow>`;
    expect(said(table, 'THB', '2013-01-02')).toBe('NBP DAY 100 THB: 0.1009');
    const json =
      '[{"table":"A","no":"041/A/NBP/2026","effectiveDate":"2026-03-02","rates":[{"currency":"dolar amerykański","code":"USD","mid":3.6056},{"currency":"forint (Węgry)","code":"HUF","mid":0.011155}]}]';
    expect(said(json, 'HUF', '2026-03-02')).toBe('NBP DAY 1 HUF: 0.011155');
    const xml =
      '<ArrayOfExchangeRatesTable xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><ExchangeRatesTable><Table>A</Table><No>041/A/NBP/2026</No><EffectiveDate>2026-03-02</EffectiveDate><Rates><Rate><Currency>bat</Currency><Code>THB</Code><Mid>0.1146</Mid></Rate></Rates></ExchangeRatesTable></ArrayOfExchangeRatesTable>';
    expect(said(xml, 'THB', '2026-03-02')).toBe('NBP DAY 1 THB: 0.1146');
    expect(refused(json.replace('"table":"A"', '"table":"C"'))).toMatch(/table C has no average rates/);
  });

  it('reads the Czech National Bank in Czech and in English', () => {
    // Fixing of 21 September 2022, and of 2 January 2026 by the API.
    const czech = '21.09.2022 #184\nzemě|měna|množství|kód|kurz\nEMU|euro|1|EUR|24,635\nIndie|rupie|100|INR|31,121\n';
    expect(said(czech, 'EUR', '2022-09-21')).toBe('CNB DAY 1 EUR: 24.635');
    expect(said(czech, 'INR', '2022-09-21')).toBe('CNB DAY 100 INR: 31.121');
    const english = '21 Sep 2022 #184\nCountry|Currency|Amount|Code|Rate\nEMU|euro|1|EUR|24.635\n';
    expect(said(english, 'EUR', '2022-09-21')).toBe('CNB DAY 1 EUR: 24.635');
    const year = 'Datum|1 AUD|1 EUR\n21.09.2022|16,588|24,635\nDatum|1 EUR|100 INR\n22.09.2022|24,650|31,000\n';
    expect(said(year, 'AUD', '2022-09-21')).toBe('CNB DAY 1 AUD: 16.588');
    expect(said(year, 'INR', '2022-09-22')).toBe('CNB DAY 100 INR: 31.000');
    expect(said(year, 'AUD', '2022-09-22')).toBeUndefined();
    const json =
      '{"rates":[{"currencyCode":"HUF","amount":100,"validFor":"2026-01-02","rate":6.304},{"currencyCode":"EUR","amount":1,"validFor":"2026-01-02","rate":24.170}]}';
    expect(said(json, 'EUR', '2026-01-02')).toBe('CNB DAY 1 EUR: 24.170');
  });

  it('reads the National Bank of Romania with its multipliers', () => {
    // Reference rates of 5 January 2026.
    const xml = bnrXml(
      '<Cube date="2026-01-05"><Rate currency="EUR">5.0905</Rate><Rate currency="HUF" multiplier="100">1.3247</Rate></Cube>',
    );
    expect(said(xml, 'EUR', '2026-01-05')).toBe('BNR DAY 1 EUR: 5.0905');
    expect(said(xml, 'HUF', '2026-01-05')).toBe('BNR DAY 100 HUF: 1.3247');
    expect(refused(xml.replace('>RON<', '>EUR<'))).toMatch(/its rates are not in RON/);
  });

  it('reads the Central Bank of Türkiye: the buying rate, and nothing of a currency without one', () => {
    // Bulletin 2024/126 of 8 July 2024.
    expect(said(tcmbXml, 'USD', '2024-07-08')).toBe('TCMB DAY 1 USD: 32.6401');
    expect(read(tcmbXml).quotes).toHaveLength(1);
  });

  it('reads the Central Bank of Nigeria: the central rate, by the names of currencies', () => {
    // Rates of 21 May 2026.
    const json =
      '[{"id":61881,"currency":"EURO","ratedate":"2026-05-21","buyingrate":"1589.6201","centralrate":"1590.1997","sellingrate":"1590.7793"},{"id":61890,"currency":"WAUA","ratedate":"2026-05-21","buyingrate":"1883.3","centralrate":"1884.0","sellingrate":"1884.7"}]';
    expect(said(json, 'EUR', '2026-05-21')).toBe('CBN DAY 1 EUR: 1590.1997');
    expect(read(json).quotes).toHaveLength(1);
    const head = '"Rate Date","Currency","Rate Year","Rate Month","Buying Rate","Central Rate","Selling Rate"\r\n';
    const csv = `${head}"5/21/2026","POUNDS STERLING","2026","May","1838.9239","1839.5944","1840.2649",\r\n`;
    expect(said(csv, 'GBP', '2026-05-21')).toBe('CBN DAY 1 GBP: 1839.5944');
    expect(refused(csv.replace('5/21/2026', '5/6/2026').replace('"May"', '"June"'))).toMatch(/^line 2: .*month\/day/);
    expect(refused(csv.replace('POUNDS STERLING', 'DOUBLOON'))).toBe("line 2: the currency 'DOUBLOON' is not known");
  });

  it('reads the Central Bank of Kenya: yen for a hundred, and Ugandan shillings the other way round', () => {
    // Mean rates of 5 January 2024.
    const json =
      '{"draw":1,"recordsTotal":"3","recordsFiltered":"3","data":[["05\\/01\\/2024","US DOLLAR","157.9012"],["05\\/01\\/2024","JPY (100)","109.3764"],["05\\/01\\/2024","KES \\/ USHS","24.0657"]]}';
    expect(said(json, 'USD', '2024-01-05')).toBe('CBK DAY 1 USD: 157.9012');
    expect(said(json, 'JPY', '2024-01-05')).toBe('CBK DAY 100 JPY: 109.3764');
    expect(said(json, 'UGX', '2024-01-05')).toBe('CBK DAY 1 of its own: 24.0657');
    const csv = '"Date","Currency","Mean"\n"05/01/2024","KES / TSHS","15.8960"\n"05/01/2024","CAN $","118.3091"\n';
    expect(said(csv, 'TZS', '2024-01-05')).toBe('CBK DAY 1 of its own: 15.8960');
    expect(said(csv, 'CAD', '2024-01-05')).toBe('CBK DAY 1 CAD: 118.3091');
  });

  it('reads the Bank of Canada’s Valet, days and months', () => {
    // Daily exchange rates of 12 March 2026.
    const json = (series: string, day: string, rate: string) =>
      `{"terms":{"url":"https://www.bankofcanada.ca/terms/"},"seriesDetail":{"${series}":{"label":"AUD/CAD","dimension":{"key":"d","name":"Date"}}},"observations":[{"d":"${day}","${series}":{"v":"${rate}"}}]}`;
    expect(said(json('FXAUDCAD', '2026-03-12', '0.9661'), 'AUD', '2026-03-12')).toBe('BOC DAY 1 AUD: 0.9661');
    expect(said(json('FXMUSDCAD', '2026-03-01', '1.3700'), 'USD', '2026-03-01')).toBe('BOC MONTH 1 USD: 1.3700');
    expect(said(json('FXCADUSD', '2026-03-12', '0.7300'), 'USD', '2026-03-12')).toBe('BOC DAY 1 of its own: 0.7300');
    expect(said(json('FXMXNCAD', '2026-03-12', '0.07643'), 'MXN', '2026-03-12')).toBe('BOC DAY 1 MXN: 0.07643');
    expect(refused(json('V122530', '2026-03-12', '5'))).toMatch(/'V122530' is no series of exchange rates/);
    const csv =
      '"TERMS AND CONDITIONS"\n"https://www.bankofcanada.ca/terms/"\n\n"GROUP"\n"id","label","link"\n"FX_RATES_DAILY","Daily exchange rates",""\n\n"SERIES"\n"id","label","description"\n"FXAUDCAD","AUD/CAD","Australian dollar"\n\n"OBSERVATIONS"\n"date","FXAUDCAD","FXBRLCAD"\n"2026-03-12","0.9661",""\n';
    expect(said(csv, 'AUD', '2026-03-12')).toBe('BOC DAY 1 AUD: 0.9661');
    expect(read(csv).quotes).toHaveLength(1);
  });

  it('reads the South African Reserve Bank in both directions', () => {
    // Weighted averages of 24 March 2026.
    const json = (series: string, value: string) =>
      `[{"Period":"2026-03-24T00:00:00","Timeseries":"${series}","Description":"Weighted average","Value":${value},"FormatNumber":"0.0000"}]`;
    expect(said(json('Rand per US Dollar', '16.9333'), 'USD', '2026-03-24')).toBe('SARB DAY 1 USD: 16.9333');
    expect(said(json('Japan: Yen per Rand', '9.3617'), 'JPY', '2026-03-24')).toBe('SARB DAY 1 of its own: 9.3617');
    expect(refused(json('Gold per Rand', '1'))).toBe("[0]: the series 'Gold per Rand' is not known");
  });

  it('reads Danmarks Nationalbank, in Danish and in English, for a hundred units', () => {
    // Rates of 21 January 2026 and 10 July 2026.
    const xml = (day: string, rates: string) =>
      `\ufeff<?xml version="1.0" encoding="utf-8"?><exchangerates type="Exchange rates" author="Danmarks Nationalbank" refcur="DKK" refamt="1"><dailyrates id="${day}">${rates}</dailyrates></exchangerates>`;
    const danish = xml('2026-01-21', '<currency code="USD" desc="Amerikanske dollar" rate="636,38" />');
    expect(said(danish, 'USD', '2026-01-21')).toBe('DNB DAY 100 USD: 636.38');
    const english = xml('2026-07-10', '<currency code="EUR" rate="747.51" /><currency code="RUB" rate="-" />');
    expect(said(english, 'EUR', '2026-07-10')).toBe('DNB DAY 100 EUR: 747.51');
    expect(read(english).quotes).toHaveLength(1);
  });

  it('reads Magyar Nemzeti Bank, also as its service answers', () => {
    // Rates of 28 March 2025.
    const list =
      '<MNBExchangeRates><Day date="2025-03-28"><Rate unit="1" curr="EUR">402,61</Rate><Rate unit="100" curr="IDR">2,26</Rate></Day></MNBExchangeRates>';
    const soap = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><GetExchangeRatesResponse xmlns="http://www.mnb.hu/webservices/"><GetExchangeRatesResult>${list.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</GetExchangeRatesResult></GetExchangeRatesResponse></s:Body></s:Envelope>`;
    for (const text of [list, soap]) {
      expect(said(text, 'EUR', '2025-03-28')).toBe('MNB DAY 1 EUR: 402.61');
      expect(said(text, 'IDR', '2025-03-28')).toBe('MNB DAY 100 IDR: 2.26');
    }
  });

  it('reads the Riksbank, the National Bank of Rwanda, the BCEAO and the Bank of Tanzania', () => {
    // Recorded answers of March and May 2026: SEK 9.35344 for a dollar, 0.05885 for a yen; RWF 1,463.065; XOF 605.52.
    const swea =
      '[{"seriesId":"SEKETT","date":"2026-03-24","value":1},{"seriesId":"SEKUSDPMI","date":"2026-03-24","value":9.35344},{"seriesId":"SEKJPYPMI","date":"2026-03-24","value":0.05885}]';
    expect(said(swea, 'USD', '2026-03-24')).toBe('RIKSBANK DAY 1 USD: 9.35344');
    expect(said(swea, 'JPY', '2026-03-24')).toBe('RIKSBANK DAY 1 JPY: 0.05885');
    expect(refused(swea.replace('SEKUSDPMI', 'SECBREPOEFF'))).toBe("[1]: 'SECBREPOEFF' is no series of exchange rates");
    const rwanda = (average: string) =>
      `[{"currency_name":"USD","buying_rate":"1458.065","average_rate":"${average}","selling_rate":"1468.065","post_date":"19-May-26"}]`;
    expect(said(rwanda('1463.065'), 'USD', '2026-05-19')).toBe('NBR DAY 1 USD: 1463.065');
    expect(said(rwanda('1,463.065'), 'USD', '2026-05-19')).toBe('NBR DAY 1 USD: 1463.065');
    const bceao = (rows: string) =>
      `<h2>Cours des devises du lundi 16 mars 2026</h2>\n  <table>\n <tbody>\n <tr>\n <th>Devise</th>\n <th>CFA</th>\n </tr>\n${rows}</tbody></table>`;
    const dollar = '<tr>\n  <td>Dollar us</td>\n  <td>605,5200</td>\n</tr>';
    const dinar = '<tr><td>Dinar Koweitien</td><td>1.953,0200</td></tr>';
    expect(said(bceao(dollar + dinar), 'USD', '2026-03-16')).toBe('BCEAO DAY 1 USD: 605.5200');
    expect(said(bceao(dollar + dinar), 'KWD', '2026-03-16')).toBe('BCEAO DAY 1 KWD: 1953.0200');
    expect(refused(bceao('<tr><td>Dinar libyen</td><td>1,0</td></tr>'))).toMatch(/'Dinar libyen' is not known/);
    expect(refused(bceao(''))).toMatch(/no rate from/);
    const tanzania =
      '<!DOCTYPE html><html><head><title>Bank of Tanzania - Previous Rates</title></head><body><table id="myTable"><thead><tr><th>S/N</th><th>Currency</th><th>Buy</th><th>Sell</th><th>Mean</th><th>Date</th></tr></thead><tbody><tr><td>1</td><td>USD</td><td>2,589.0,500</td><td>2,615.0,600</td><td>2,602.0,545</td><td>19-May-26</td></tr><tr><td>2</td><td>GOLD</td><td>1</td><td>1</td><td>1</td><td>19-May-26</td></tr></tbody></table></body></html>';
    expect(said(tanzania, 'USD', '2026-05-19')).toBe('BOT DAY 1 USD: 2602.0545');
    expect(read(tanzania).quotes).toHaveLength(1);
    expect(refused(tanzania.replace('2,602.0,545', 'n/a'))).toMatch(/'n\/a' of USD is not a decimal/);
  });

  it('reads the workbook of the Central Bank of Egypt, saved as CSV', () => {
    // Rows of its export of April 2026, with the empty row above the header.
    const sheet = (rows: string) => `,,,\nDate,Currency,Buy,Sell\n${rows}\n`;
    const rows = '09/04/2026,US Dollar,53.0734,53.2067\n08/04/2026,US Dollar,53.2558,53.3960';
    expect(said(sheet(rows), 'USD', '2026-04-09')).toBe('CBE DAY 1 USD: 53.14005');
    expect(said(sheet(rows), 'USD', '2026-04-08')).toBe('CBE DAY 1 USD: 53.32590');
    // Of September 2025; the page writes the yen with its units.
    const yen = '27/09/2025,Japanese Yen 100,32.2930,32.3623';
    expect(said(sheet(yen), 'JPY', '2025-09-27')).toBe('CBE DAY 100 JPY: 32.32765');
    expect(said(`Date,Currency,Buy,Sell\n${yen}`, 'JPY', '2025-09-27')).toBe('CBE DAY 100 JPY: 32.32765');
    expect(refused(sheet('09/04/2026,Gold,1,2'))).toMatch(/^line 3: the currency 'Gold' is not known/);
    expect(refused(sheet('09/04/2026,Euro,62.0322,'))).toMatch(/^line 3: '' is not a rate/);
    expect(refused(sheet('4/23/2026,Euro,62.0322,62.1986'))).toMatch(/^line 3: the day is not a date/);
  });

  it('reads a plain table of a bank that publishes on pages', () => {
    const table = 'Publisher,Day,Currency,Units,Rate\nBCEAO,2026-09-01,EUR,1,655.957\nBCEAO,2026-09-02,EUR,1,655.957\n';
    expect(said(table, 'EUR', '2026-09-02')).toBe('BCEAO DAY 1 EUR: 655.957');
    expect(said(table.replaceAll(/-\d\d,EUR/g, ',EUR'), 'EUR', '2026-09-01')).toBe('BCEAO MONTH 1 EUR: 655.957');
    expect(refused(table.replace('BCEAO,2026-09-02', 'BEAC,2026-09-02'))).toMatch(
      /^line 3: the publisher is BCEAO above/,
    );
    expect(refused(table.replaceAll('BCEAO', 'MYBANK'))).toBe("line 2: the publisher 'MYBANK' is not known");
  });
});

describe('what is refused, whole, with the line and the reason', () => {
  const csv = (row: string) => `Date,USD,GBP,\n2024-01-03,1.0919,0.8637,\n${row}\n`;
  it.each([
    [csv('2024-01-02,1.0956,free,'), "line 3: the rate 'free' of GBP is not a decimal"],
    [csv('2024-01-02,1.0956,-0.86,'), "line 3: the rate '-0.86' of GBP is not a decimal"],
    [csv('2024-01-02,1.0956,1e3,'), "line 3: the rate '1e3' of GBP is not a decimal"],
    [csv('2024-01-02,1.0956,0.000,'), 'line 3: the rate of GBP is 0'],
    [csv('2024-02-30,1.0956,0.86,'), 'line 3: the day is not a date'],
    [csv('2024-01-02,1.0956'), 'line 3: the line has 2 cells, fewer than the header'],
    [csv('2024-01-03,1.0920,0.8637,'), 'line 3: USD has two rates for 2024-01-03: 1.0919 and 1.0920'],
    [csv('"2024-01-02,1.0956,0.86,'), 'line 3: a quote is not closed'],
    [ecbXml('<Cube time="2024-01-02"><Cube currency="usd" rate="1"/></Cube>'), "line 7: 'usd' is not a currency code"],
    [
      ecbXml('<Cube time="2024-01-02"><Cube currency="EUR" rate="1"/></Cube>'),
      'line 7: it quotes its own currency, EUR',
    ],
    [ecbXml('<Cube time="2024-01-02"><Cube currency="USD" rate="1">'), 'line 8: unexpected close tag'],
    [ecbXml('').split('</Cube>')[0] ?? '', 'line 7: unclosed tag: Cube'],
    [ecbXml(''), 'line 2: it has no day'],
    [
      `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
      'line 1: a document type declaration is not allowed',
    ],
    ['{"observations":[}', 'line 1: unexpected character'],
    ['<html><body>Not found</body></html>', expect.stringMatching(/^its form is not known/)],
    ['', expect.stringMatching(/^its form is not known/)],
  ])('refuses a damaged file %#', (text, why) => {
    expect(refused(text)).toEqual(why);
  });

  it('passes over what is earlier than the first day, faults included', () => {
    const text = csv('2023-12-29,none,1.2.3,');
    expect(refused(text)).toMatch(/^line 3/);
    expect(read(text, '2024-01-01').quotes.map((q) => q.day)).toEqual(['2024-01-03', '2024-01-03']);
    expect(readRateFile(text, '2025-01-01', readXml)).toEqual(new FileFault('it has no rate from 2025-01-01 on'));
  });

  it('says one and the same of a rate in other units', () => {
    const rate = (units: number | string, text: string) => `BCEAO,2026-09-01,JPY,${units},${text}`;
    const head = 'Publisher,Day,Currency,Units,Rate\n';
    expect(read(`${head}${rate(100, '385.10')}\n${rate(1, '3.851')}`).quotes).toHaveLength(1);
    expect(refused(`${head}${rate(100, '385.10')}\n${rate(10, '3.851')}`)).toMatch(/two rates/);
    expect(refused(head + rate(12, '3.851'))).toMatch(/quoted for 12 units/);
    expect(refused(head + rate('1.5', '3.851'))).toMatch(/the units of JPY are not a whole number/);
  });
});

const currency = fc.constantFrom('USD', 'GBP', 'JPY', 'NGN', 'CHF', 'AUD');
const day = fc.date({ min: new Date('2001-01-01'), max: new Date('2040-12-31'), noInvalidDate: true });
const rate = fc
  .tuple(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]) => {
    const digits = units.toString().padStart(scale + 1, '0');
    return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  })
  .filter((t) => /^(?:0|[1-9]\d{0,11})(?:\.\d+)?$/.test(t));
const quotes = (units: fc.Arbitrary<number>, per: Quote['per']) =>
  fc
    .uniqueArray(fc.record({ currency, day: day.map((d) => d.toISOString().slice(0, 10)), units, rate }), {
      minLength: 1,
      maxLength: 30,
      selector: (q) => `${q.currency} ${q.day}`,
    })
    .map((list): Quote[] =>
      list.map((q) => ({ ...q, per })).sort((a, b) => (`${a.currency} ${a.day}` < `${b.currency} ${b.day}` ? -1 : 1)),
    );
const hundred = fc.constantFrom(1, 10, 100, 1000);

describe('a file written in a publisher’s form reads back exactly', () => {
  it('of the European Central Bank', () => {
    fc.assert(
      fc.property(quotes(fc.constant(1), 'BASE'), (list) => {
        const days = [...Map.groupBy(list, (q) => q.day)].map(
          ([time, of]) =>
            `<Cube time="${time}">${of.map((q) => `<Cube currency="${q.currency}" rate="${q.rate}"/>`).join('\n')}</Cube>`,
        );
        expect(read(ecbXml(days.join('\n')))).toEqual({ publisher: 'ECB', kind: 'DAY', quotes: list });
      }),
    );
  });

  it('of the National Bank of Romania, and of a plain table', () => {
    fc.assert(
      fc.property(quotes(hundred, 'CURRENCY'), (list) => {
        const days = [...Map.groupBy(list, (q) => q.day)].map(
          ([date, of]) =>
            `<Cube date="${date}">${of.map((q) => `<Rate currency="${q.currency}" multiplier="${q.units}">${q.rate}</Rate>`).join('')}</Cube>`,
        );
        expect(read(bnrXml(days.join('')))).toEqual({ publisher: 'BNR', kind: 'DAY', quotes: list });
        const rows = list.map((q) => `BOZ,${q.day},${q.currency},${q.units},${q.rate}`);
        expect(read(['Publisher,Day,Currency,Units,Rate', ...rows].join('\n')).quotes).toEqual(list);
      }),
    );
  });

  it('and any cut of it is refused, never read in part', () => {
    const whole = bnrXml('<Cube date="2026-01-05"><Rate currency="EUR">5.0905</Rate></Cube>');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length - 1 }), (cut) => {
        expect(readRateFile(whole.slice(0, cut), '2000-01-01', readXml)).toBeInstanceOf(FileFault);
      }),
    );
  });
});

// The authorities whose published exchange rates are read: their names, base currencies and the addresses of their files.

/** A day's rate, or one for a whole month. */
export type RateKind = 'DAY' | 'MONTH';

export interface Publisher {
  readonly name: string;
  /** Country of the authority, ISO 3166-1 alpha-2; null for the euro area. */
  readonly country: string | null;
  /** The currency that all its rates are quoted against. */
  readonly base: string;
  /** The published rate that is read, where the authority publishes several. */
  readonly figure: string;
  /** Where its current file is published; null if it has no lasting address. */
  readonly address: string | null;
  /** Where files of earlier days are published, with `{year}` and so on in the place of what varies. */
  readonly archive: string | null;
}

/** An authority whose files have no lasting address. */
const unaddressed = (
  name: string,
  country: string,
  base: string,
  figure = 'rate as entered in the table',
): Publisher => ({ name, country, base, figure, address: null, archive: null });

export const publishers = {
  ECB: {
    name: 'European Central Bank',
    country: null,
    base: 'EUR',
    figure: 'euro foreign exchange reference rate',
    address: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
    archive: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.xml',
  },
  HMRC: {
    name: 'HM Revenue & Customs',
    country: 'GB',
    base: 'GBP',
    figure: 'monthly rate for customs and VAT',
    address: null,
    archive: 'https://www.trade-tariff.service.gov.uk/uk/api/exchange_rates/files/monthly_xml_{year}-{month}.xml',
  },
  NBP: {
    name: 'Narodowy Bank Polski',
    country: 'PL',
    base: 'PLN',
    figure: 'average rate of table A or B',
    address: 'https://api.nbp.pl/api/exchangerates/tables/A/?format=json',
    archive: 'https://api.nbp.pl/api/exchangerates/tables/A/{first day}/{last day}/?format=json',
  },
  CNB: {
    name: 'Česká národní banka',
    country: 'CZ',
    base: 'CZK',
    figure: 'central bank exchange rate fixing',
    address:
      'https://www.cnb.cz/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/central-bank-exchange-rate-fixing/daily.txt',
    archive: 'https://api.cnb.cz/cnbapi/exrates/daily-year?lang=EN&year={year}',
  },
  BNR: {
    name: 'Banca Națională a României',
    country: 'RO',
    base: 'RON',
    figure: 'reference rate',
    address: 'https://curs.bnr.ro/nbrfxrates.xml',
    archive: 'https://curs.bnr.ro/files/xml/years/nbrfxrates{year}.xml',
  },
  TCMB: {
    name: 'Türkiye Cumhuriyet Merkez Bankası',
    country: 'TR',
    base: 'TRY',
    figure: 'indicative buying rate (ForexBuying)',
    address: 'https://www.tcmb.gov.tr/kurlar/today.xml',
    archive: 'https://www.tcmb.gov.tr/kurlar/{year}{month}/{day}{month}{year}.xml',
  },
  CBN: {
    name: 'Central Bank of Nigeria',
    country: 'NG',
    base: 'NGN',
    figure: 'central rate',
    address: 'https://www.cbn.gov.ng/api/GetAllExchangeRates',
    archive: null,
  },
  CBK: unaddressed('Central Bank of Kenya', 'KE', 'KES', 'mean indicative rate'),
  CBE: unaddressed('Central Bank of Egypt', 'EG', 'EGP', 'mean of buying and selling'),
  BOC: {
    name: 'Bank of Canada',
    country: 'CA',
    base: 'CAD',
    figure: 'daily average rate, or monthly average rate',
    address: 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json?recent=1',
    archive: 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json?start_date={first day}',
  },
  SARB: {
    name: 'South African Reserve Bank',
    country: 'ZA',
    base: 'ZAR',
    figure: 'weighted average of the banks at 10:30',
    address: null,
    archive:
      'https://custom.resbank.co.za/SarbWebApi/WebIndicators/Shared/GetTimeseriesObservations/EXCX135D/{first day}/{last day}',
  },
  DNB: {
    name: 'Danmarks Nationalbank',
    country: 'DK',
    base: 'DKK',
    figure: 'daily rate',
    address: 'https://www.nationalbanken.dk/api/currencyratesxml?lang=en',
    archive: null,
  },
  MNB: unaddressed('Magyar Nemzeti Bank', 'HU', 'HUF', 'official daily rate'),
  BCEAO: {
    name: "Banque Centrale des États de l'Afrique de l'Ouest",
    country: 'SN',
    base: 'XOF',
    figure: 'reference rate',
    address: null,
    archive: 'https://www.bceao.int/fr/cours/get_all_reference_by_date?dateJour={year}-{month}-{day}',
  },
  BOT: unaddressed('Bank of Tanzania', 'TZ', 'TZS', 'mean indicative rate'),
  NBR: {
    name: 'National Bank of Rwanda',
    country: 'RW',
    base: 'RWF',
    figure: 'average rate',
    address: null,
    archive: 'https://fxrates.bnr.rw/currency_history/?currency_name=USD&start_date={first day}&end_date={last day}',
  },
  RIKSBANK: {
    name: 'Sveriges Riksbank',
    country: 'SE',
    base: 'SEK',
    figure: 'indicative mid rate',
    address: null,
    archive: 'https://api.riksbank.se/swea/v1/Observations/ByGroup/130/{first day}/{last day}',
  },
  // Their rates are published on pages and in workbooks, and are loaded as a plain table.
  BEAC: unaddressed("Banque des États de l'Afrique Centrale", 'CM', 'XAF'),
  BOG: unaddressed('Bank of Ghana', 'GH', 'GHS'),
  BOU: unaddressed('Bank of Uganda', 'UG', 'UGX'),
  BOZ: unaddressed('Bank of Zambia', 'ZM', 'ZMW'),
  RBZ: unaddressed('Reserve Bank of Zimbabwe', 'ZW', 'ZWG'),
} as const satisfies Readonly<Record<string, Publisher>>;

export type PublisherId = keyof typeof publishers;

export const publisherIds = Object.keys(publishers) as readonly PublisherId[];

export const isPublisher = (id: string): id is PublisherId => Object.hasOwn(publishers, id);

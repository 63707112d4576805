// Who lives in the demo world: PSPs of four countries and their clients, of all six classifications.

export type Trade = 'shop' | 'gaming' | 'crypto' | 'telecom';

export interface Merchant {
  /** Begins its refs. */
  readonly code: string;
  readonly name: string;
  readonly registrationNumber: string;
  readonly classification: string;
  readonly email: string;
  readonly phoneNumber: string;
  readonly organizationTin: string;
  readonly trade: Trade;
  /** Transactions on an ordinary day. */
  readonly daily: number;
  /** Merchant category codes of its sales. */
  readonly mccs: readonly string[];
  /** A usual amount, in whole units of its currency. */
  readonly amount: number;
  /** Where its customers' telephones are. */
  readonly prefix: string;
  /** How the receiver of its webhooks behaves, where it has one. */
  readonly receiver?: 'sound' | 'flaky' | 'gone' | 'broken';
  /** Of a telecom operator: how its network is called, and how its numbers begin. */
  readonly network?: { readonly token: string; readonly name: string; readonly numbers: string };
}

export interface House {
  readonly code: string;
  readonly name: string;
  readonly country: string;
  readonly currency: string;
  /** Who signs in for it. */
  readonly contact: string;
  /** An amount that somebody looks at, in whole units. */
  readonly large: number;
  readonly merchants: readonly Merchant[];
}

const ng = { prefix: '+234803120', mccs: ['5411', '5942', '5732', '7922'] };
const ke = { prefix: '+25471200', mccs: ['5411', '5942', '5812'] };
const de = { prefix: '+491512345', mccs: ['5411', '5942', '5691', '7011'] };
const gb = { prefix: '+44791112', mccs: ['5735', '5942', '5411'] };

export const houses: readonly House[] = [
  {
    code: 'lup',
    contact: 'Tunde Bello',
    name: 'Lagos Union Pay',
    country: 'NG',
    currency: 'NGN',
    large: 15_600_000,
    merchants: [
      {
        ...ng,
        code: 'bmo',
        name: 'Balogun Market Online Ltd',
        registrationNumber: 'RC-1204471',
        classification: 'ECOMM_LOCAL',
        email: 'accounts@balogun-market.example',
        phoneNumber: '+2348031204471',
        organizationTin: '20447118-0001',
        trade: 'shop',
        daily: 26,
        amount: 18_500,
        receiver: 'sound',
      },
      {
        ...ng,
        code: 'saf',
        name: 'Savanna Air Freight Plc',
        registrationNumber: 'RC-880213',
        classification: 'ECOMM_GLOBAL',
        email: 'billing@savanna-air.example',
        phoneNumber: '+2348059880213',
        organizationTin: '18802134-0001',
        trade: 'shop',
        daily: 8,
        amount: 240_000,
        mccs: ['4215', '4722'],
      },
      {
        ...ng,
        code: 'eko',
        name: 'Eko Bet Ltd',
        registrationNumber: 'RC-1550902',
        classification: 'IGAMING_LOCAL',
        email: 'compliance@ekobet.example',
        phoneNumber: '+2348091550902',
        organizationTin: '25509021-0001',
        trade: 'gaming',
        daily: 22,
        amount: 4_000,
        receiver: 'flaky',
      },
      {
        ...ng,
        code: 'nch',
        name: 'Naija Chain Exchange Ltd',
        registrationNumber: 'RC-1733410',
        classification: 'CRYPTO_LOCAL',
        email: 'tax@naijachain.example',
        phoneNumber: '+2348031733410',
        organizationTin: '27334105-0001',
        trade: 'crypto',
        daily: 9,
        amount: 1,
      },
      {
        ...ng,
        code: 'lmn',
        name: 'Lagos Mobile Networks Plc',
        registrationNumber: 'RC-402118',
        classification: 'ECOMM_LOCAL',
        email: 'interconnect@lagosmobile.example',
        phoneNumber: '+2348030402118',
        organizationTin: '14021186-0001',
        trade: 'telecom',
        daily: 4,
        amount: 2_500,
        mccs: ['4814'],
        network: { token: 'LMN', name: 'MTN Nigeria', numbers: '+234803' },
      },
    ],
  },
  {
    code: 'nsw',
    contact: 'Wanjiru Kamau',
    name: 'Nairobi Switch',
    country: 'KE',
    currency: 'KES',
    large: 1_350_000,
    merchants: [
      {
        ...ke,
        code: 'kib',
        name: 'Kilimani Books Ltd',
        registrationNumber: 'PVT-7AB2210',
        classification: 'ECOMM_LOCAL',
        email: 'hello@kilimani-books.example',
        phoneNumber: '+254712002210',
        organizationTin: 'P051234567X',
        trade: 'shop',
        daily: 18,
        amount: 2_400,
        receiver: 'gone',
      },
      {
        ...ke,
        code: 'sim',
        name: 'Simba Sports Ltd',
        registrationNumber: 'PVT-9LU8841',
        classification: 'IGAMING_LOCAL',
        email: 'finance@simbasports.example',
        phoneNumber: '+254722008841',
        organizationTin: 'P051884193K',
        trade: 'gaming',
        daily: 20,
        amount: 700,
      },
      {
        ...ke,
        code: 'atl',
        name: 'Atlas Play International',
        registrationNumber: 'PVT-1QX3320',
        classification: 'IGAMING_GLOBAL',
        email: 'ops@atlasplay.example',
        phoneNumber: '+254733003320',
        organizationTin: 'P052003320M',
        trade: 'gaming',
        daily: 10,
        amount: 1_500,
        receiver: 'sound',
      },
      {
        ...ke,
        code: 'bao',
        name: 'Baobab Exchange Ltd',
        registrationNumber: 'PVT-5BX7719',
        classification: 'CRYPTO_LOCAL',
        email: 'desk@baobab-exchange.example',
        phoneNumber: '+254710007719',
        organizationTin: 'P052771904T',
        trade: 'crypto',
        daily: 7,
        amount: 1,
      },
    ],
  },
  {
    code: 'rhz',
    contact: 'Lena Vogt',
    name: 'Rhein Zahlung GmbH',
    country: 'DE',
    currency: 'EUR',
    large: 10_800,
    merchants: [
      {
        ...de,
        code: 'kfk',
        name: 'Kölner Feinkost GmbH',
        registrationNumber: 'HRB 90412',
        classification: 'ECOMM_LOCAL',
        email: 'buchhaltung@koelner-feinkost.example',
        phoneNumber: '+492219041200',
        organizationTin: 'DE136695976',
        trade: 'shop',
        daily: 16,
        amount: 64,
      },
      {
        ...de,
        code: 'nlm',
        name: 'Nordlicht Mode SE',
        registrationNumber: 'HRB 15577',
        classification: 'ECOMM_GLOBAL',
        email: 'tax@nordlicht-mode.example',
        phoneNumber: '+494015577000',
        organizationTin: 'DE129273398',
        trade: 'shop',
        daily: 14,
        amount: 119,
        receiver: 'broken',
      },
      {
        ...de,
        code: 'spb',
        name: 'Spreebit AG',
        registrationNumber: 'HRB 200841',
        classification: 'CRYPTO_GLOBAL',
        email: 'meldewesen@spreebit.example',
        phoneNumber: '+493020084100',
        organizationTin: 'DE811569869',
        trade: 'crypto',
        daily: 6,
        amount: 2,
      },
    ],
  },
  {
    code: 'thc',
    contact: 'Harriet Cole',
    name: 'Thames Clearing Ltd',
    country: 'GB',
    currency: 'GBP',
    large: 8_400,
    merchants: [
      {
        ...gb,
        code: 'brx',
        name: 'Brixton Records Ltd',
        registrationNumber: '08123455',
        classification: 'ECOMM_LOCAL',
        email: 'office@brixton-records.example',
        phoneNumber: '+442079460123',
        organizationTin: 'GB980780684',
        trade: 'shop',
        daily: 12,
        amount: 38,
      },
      {
        ...gb,
        code: 'ldg',
        name: 'Ludgate Gaming Plc',
        registrationNumber: '11204482',
        classification: 'IGAMING_GLOBAL',
        email: 'regulatory@ludgate-gaming.example',
        phoneNumber: '+442079460482',
        organizationTin: 'GB100000034',
        trade: 'gaming',
        daily: 12,
        amount: 25,
      },
      {
        ...gb,
        code: 'orb',
        name: 'Orbit Coin Ltd',
        registrationNumber: '12900871',
        classification: 'CRYPTO_GLOBAL',
        email: 'treasury@orbit-coin.example',
        phoneNumber: '+442079460871',
        organizationTin: 'GB117223643',
        trade: 'crypto',
        daily: 5,
        amount: 3,
      },
    ],
  },
];

/** Who is kept from trading for some of the days, as shares of the whole time. */
export const troubles = [
  { merchant: 'atl', kind: 'suspended', from: 0.42, to: 0.55, reason: 'licence under review by the regulator' },
  { merchant: 'nch', kind: 'hold', from: 0.66, to: 0.74, reason: 'name match under review' },
] as const;

export const firstNames = ['Amina', 'Kip', 'Lena', 'Tom', 'Ngozi', 'Wanjiru', 'Jonas', 'Priya', 'Chidi', 'Otieno'];
export const lastNames = ['Okafor', 'Mwangi', 'Schmidt', 'Hughes', 'Bello', 'Kamau', 'Weber', 'Patel', 'Eze', 'Clarke'];

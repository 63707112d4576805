// The name and kind of tax of each tax code in the rules. Pure.

/**
 * VALUE_ADDED taxes belong on a VAT return: VAT under any name, with input tax deducted. All others have returns of
 * their own.
 */
type TaxKind = 'VALUE_ADDED' | 'SALES' | 'EXCISE' | 'WITHHOLDING' | 'GAMING' | 'TELECOM' | 'LEVY';

export interface TaxName {
  /** As displayed: VAT, Excise. */
  readonly name: string;
  readonly kind: TaxKind;
}

const named = (kind: TaxKind, names: Readonly<Record<string, string>>): [string, TaxName][] =>
  Object.entries(names).map(([code, name]) => [code, { name, kind }]);

export const taxNames: ReadonlyMap<string, TaxName> = new Map([
  ...named('VALUE_ADDED', {
    VAT: 'VAT',
    GST: 'GST',
    // Canada: harmonized in five provinces, Québec's own; Spain: the Canary Islands.
    HST: 'HST',
    QST: 'QST',
    IGIC: 'IGIC',
    JCT: 'Consumption tax',
    // New Caledonia and Haiti: value added taxes named general consumption tax and turnover tax.
    TGC: 'General consumption tax (TGC)',
    TCA: 'Turnover tax (TCA)',
    ICMS: 'ICMS',
  }),
  ...named('SALES', {
    SALES_TAX: 'Sales tax',
    SALES: 'Sales tax',
    PST: 'Provincial sales tax (PST)',
    RST: 'Retail sales tax (RST)',
    MEALS_TAX: 'Meals tax',
    LODGING_TAX: 'Lodging tax',
    HIRE_TAX: 'Vehicle rental tax',
    // Spain: Ceuta and Melilla.
    IPSI: 'IPSI',
    // Indonesia: of regencies and cities.
    PBJT: 'Tax on certain goods and services (PBJT)',
    SERVICE_TAX: 'Service tax',
    SERVICES_TAX: 'Services tax',
    SUT: 'Sales and use tax',
    TOT: 'Turnover tax',
    TGCA: 'Turnover tax (TGCA)',
    OB: 'Turnover tax (OB)',
    ABB: 'General expenditure tax (ABB)',
    ISS: 'Service tax (ISS)',
    CT: 'Commercial tax',
    TC: 'Consumption tax (TC)',
  }),
  ...named('EXCISE', {
    EXCISE: 'Excise',
    SD: 'Supplementary duty',
    ISC: 'Selective consumption tax (ISC)',
    IEPS: 'Special tax (IEPS)',
    INC: 'National consumption tax (INC)',
    DAT: 'Digital asset tax',
    SCHEDULE_TAX: 'Schedule tax',
    SCT: 'Special consumption tax',
    STAMP: 'Stamp duty',
  }),
  ...named('WITHHOLDING', { WHT: 'Withholding tax', TDS: 'Tax deducted at source' }),
  ...named('GAMING', {
    // New Jersey: in place of the investment alternative tax, and for Atlantic City; Pennsylvania: for municipalities.
    IAT: 'Investment alternative (IAT)',
    CRDA: 'Atlantic City marketing tax (CRDA)',
    LSA: 'Local share assessment (LSA)',
    GGR: 'Gaming duty',
    STAKE: 'Stake tax',
    IPJ: 'Tax on taking part in games (IPJ)',
  }),
  ...named('TELECOM', {
    // Ghana's tax, Senegal's contribution and Türkiye's tax.
    CST: 'Communications tax (CST)',
    TSC: 'Telecommunications service charge',
    TELECOM_TAX: 'Telecommunications tax',
    TELECOM_LEVY: 'Telecommunications levy',
    RECHARGE_TAX: 'Recharge tax',
    RUTEL: 'Network access charge (RUTEL)',
    TETTIC: 'Telecommunications company tax (TETTIC)',
    TCT: 'Telephone consumption tax',
    OCT: 'Overseas communications tax',
    CDT: 'Telecommunications development contribution',
  }),
  ...named('LEVY', {
    NHIL: 'National Health Insurance Levy',
    GETFUND: 'GETFund levy',
    COVID: 'COVID-19 levy',
    CSS: 'Special solidarity contribution',
    MILITARY_LEVY: 'Military levy',
    SURTAX: 'Surtax',
    SURCHARGE: 'Surcharge',
    LEVY: 'Levy',
    SOLIDARITY: 'Solidarity contribution',
    TOURISM: 'Tourism tax',
    IPT: 'Insurance premium tax',
    ACCOMMODATION: 'Accommodation tax',
    CAC: 'Additional centimes',
    TAF: 'Financial activities tax (TAF)',
    TAFI: 'Financial activities tax (TAFI)',
    TOB: 'Banking operations tax (TOB)',
    TOF: 'Financial operations tax (TOF)',
    TMT: 'Mobile transactions tax (TMT)',
    BSMV: 'Banking and insurance transactions tax (BSMV)',
    DFS: 'Financial services tax (DFS)',
    // On the movement of money.
    TTA: 'Money transfer tax (TTA)',
    TTE: 'Electronic transactions tax (TTE)',
    TDTA: 'Tax on deposits and transfers of money (TDTA)',
    ETL: 'Electronic transactions levy',
    EMTL: 'Electronic money transfer levy',
    MMTL: 'Mobile money transaction levy',
    IMTT: 'Intermediated money transfer tax (IMTT)',
    IMTT_FX: 'Intermediated money transfer tax (IMTT), foreign currency',
    STAMP_DUTY: 'Stamp duty',
  }),
]);

/** A code without a row is its own name and belongs on no VAT return. */
export const taxName = (code: string): TaxName => taxNames.get(code) ?? { name: code, kind: 'LEVY' };

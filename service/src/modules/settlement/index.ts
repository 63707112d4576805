// What other modules may use of settlement.
export { reversedSql } from './netting-store.ts';
export { nettingsAbout } from './nettings-about.ts';
export { nettingsOfChargeback } from './nettings-against.ts';
export { released, releaseNettings, standingNettings } from './release-nettings.ts';
export { settlementReport } from './reports/settlement.ts';

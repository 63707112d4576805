// The address of a wallet as it is compared, however it was written: alone or in a payment link, in capitals or not. Pure.

import { asTyped } from '../core/wallets/typed.ts';
import { usualSpelling } from './wallet-spellings.ts';

/** Schemes of payment links (BIP 21, EIP 681, CashAddr). What follows `?`, `@` or `/` in one says how much, and on which chain. */
const link =
  /^(?:bitcoin|bitcoincash|ecash|litecoin|dogecoin|dash|zcash|monero|ethereum|tron|solana|ripple|xrpl|stellar|ton|(?:web\+)?cardano):(?:\/\/)?(?:pay-|transfer\/)?([^?@/]+)/i;

/** An account with its chain before it (CAIP 10), also as a decentralised identifier (did:pkh). */
const onChain =
  /^(?:did:pkh:)?(?:eip155|bip122|solana|tron|cosmos|polkadot|xrpl|stellar|tezos|hedera|sui|aptos|ton|near):[-_a-z0-9]{1,32}:([-.a-z0-9]{1,128})$/i;

/** @returns the address in its usual spelling, without the chain or link around it or the tag behind it; else the text as it is */
export function walletAddress(given: string): string {
  const text = asTyped(given);
  const [address = text] = ((onChain.exec(text) ?? link.exec(text))?.[1] ?? text).split('?');
  return usualSpelling(address);
}

/** Hexadecimal, Bech32 and CashAddr addresses are the same in capitals; those in Base58 are not. */
const caseless = [
  /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i,
  /^[a-z]{1,83}1[02-9ac-hj-np-z]{6,}$/,
  /^[qp][02-9ac-hj-np-z]{41}$/,
];

/** The form in which two addresses of one wallet are equal. */
export function walletText(given: string): string {
  const address = walletAddress(given);
  const lower = address.toLowerCase();
  // An address in Bech32 has one case throughout.
  const isOneCase = address === lower || address === address.toUpperCase();
  return caseless.some((form, i) => (i === 0 || isOneCase) && form.test(lower)) ? lower : address;
}

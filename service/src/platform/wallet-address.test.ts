// One wallet, however its address is written: the examples of BIP 21, BIP 173, EIP 55, EIP 681, the CashAddr specification and networks' documentation.
import { describe, expect, it } from 'vitest';
import { walletText } from './wallet-address.ts';

describe('the address of a wallet', () => {
  it.each([
    // EIP 55: the checksum is in the case of the letters.
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'ethereum:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed@1?value=2e18'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'ethereum:pay-0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '\ufeff0x5aAeb6053F3E94C9b9A09f\u200b33669435E7Ef1BeAed\u200e'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '０ｘ5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    // CAIP 10, with examples of its specification, and did:pkh.
    ['0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb', 'eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'],
    ['0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb', 'did:pkh:eip155:137:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'],
    [
      '128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6',
      'bip122:000000000019d6689c085ae165831e93:128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6',
    ],
    [
      '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv',
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv',
    ],
    // BIP 173: decoders take capitals, and no mixture.
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
    ['bnb136ns6lfw4zs5hg4n85vdthaad7hq5m4gtkgf23', 'BNB136NS6LFW4ZS5HG4N85VDTHAAD7HQ5M4GTKGF23'],
    // BIP 21.
    ['175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W', 'bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=20.3&label=Luke-Jr'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
    // CashAddr: the prefix may be left out, and all may be in capitals.
    ['qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A'],
    // The CashAddr specification's table of addresses of keys and scripts.
    ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR', 'BITCOINCASH:QR95SY3J9XWD2AP32XKYKTTR4CVCU7AS4Y0QVERFUY'],
    ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', 'qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'],
    ['3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ['3LDsS579y7sruadqu11beEJoTjdFiFCdX4', 'pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e'],
    ['31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw', 'bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37'],
    // A donation address of Litecoin's developers, in both forms.
    ['3MSvaVbVFFLML86rt5eqgA9SvW23upaXdY', 'MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvh'],
    ['rnXyVQzgxZe7TR1EPzTkGj2jxH4LMJYh66', ' rnXyVQzgxZe7TR1EPzTkGj2jxH4LMJYh66\n'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    // TRON's documentation, and the contract of Tether there.
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '0x41A614F803B6FD780986A42C78EC9C7F77E6DED13C'],
    // XLS-5: without a tag, with the tags 1 and 11747.
    ['rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb'],
    ['rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc'],
    ['rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf', 'XVLhHMPHU98es4dbozjVtdWzVrDjtVoYiC9UvKfjKar4LJe'],
    ['rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf', 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf:11747'],
    ['rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf', 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf?dt=11747'],
    // SEP-23.
    [
      'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
      'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
    ],
    // TON's documentation of addresses, and TEP-2: bounceable, not bounceable, in the other alphabet, plain.
    ['EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF', 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA'],
    [
      'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
      '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
    ],
    ['EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPrHF'],
    [
      'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
      'ton://transfer/UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA?amount=1000000000',
    ],
    // Substrate's example of an account (Alice): on Polkadot, on Kusama, under no network's prefix.
    ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'],
    ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F'],
    // HIP-15.
    ['0.0.123', '0.0.123-vfmkw'],
    // Aptos, AIP-40: the first of its accounts has 64 digits, zeros among them.
    [`0x0${'ab1'.repeat(21)}`, `0x${'AB1'.repeat(21)}`],
    [`0x${'ab12'.repeat(16)}`, `0x${'AB12'.repeat(16)}`],
    // Injective's documentation.
    ['0xAF79152AC5dF276D9A8e1E2E22822f9713474902', 'inj14au322k9munkmx5wrchz9q30juf5wjgz2cfqku'],
    // Filecoin's documentation (FRC-0102), as lotus evm stat has it.
    ['0xd388ab098ed3e84c0d808776440b48f685198498', 'f410f2oekwcmo2pueydmaq53eic2i62crtbeyuzx2gmy'],
    // Monero's documentation of integrated addresses.
    [
      '4AdUndXHHZ6cfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2684Rge',
      '4LL9oSLmtpccfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2bYXZKKQePHES9khPK',
    ],
  ])('%s is written as %s, too', (one, other) => {
    expect(walletText(other)).toBe(walletText(one));
  });

  it.each([
    ['175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W', '175twpb8k1s7nmh4zx6rewf9wqrczv245w'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'],
    ['bitcoin:', 'ethereum:'],
    // Its checksum is wrong: nobody's.
    ['EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF', 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwB'],
    ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ'],
  ])('%s is another one than %s', (one, other) => {
    expect(walletText(other)).not.toBe(walletText(one));
  });
});

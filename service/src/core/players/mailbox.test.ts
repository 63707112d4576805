// Sub-addresses as RFC 5233 has them, and Gmail's dots: one mailbox, and no other.
import { describe, expect, it } from 'vitest';
import { mailboxOf } from './mailbox.ts';

describe('the mailbox of an address', () => {
  it.each([
    // RFC 5233, section 4: the user is what precedes the first separator.
    ['ken+sieve@example.org', 'ken@example.org'],
    ['Ken+a+b@Example.org', 'ken@example.org'],
    // Google: dots do not matter, and googlemail.com is gmail.com.
    ['john.smith@gmail.com', 'johnsmith@gmail.com'],
    ['J.o.h.n.Smith+bets@googlemail.com', 'johnsmith@gmail.com'],
    [' ada@example.com ', 'ada@example.com'],
    // Dots are letters like others elsewhere.
    ['john.smith@example.com', 'john.smith@example.com'],
    // A name that begins with + has nothing before it.
    ['+49170@sms.example.com', '+49170@sms.example.com'],
    // RFC 5891 and RFC 1034: one domain in Unicode, as ASCII, in wide letters and with the dot of the root.
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@XN--BCHER-KVA.example', 'ada@xn--bcher-kva.example'],
    ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
    ['ada@example.com.', 'ada@example.com'],
    ['a.da@gmail.com.', 'ada@gmail.com'],
    // No domains.
    ['ada@example.com/x', 'ada@example.com/x'],
    ['ada@a b', 'ada@a b'],
    ['"a@b"+x@example.com', '"a@b"@example.com'],
    ['no address', 'no address'],
    ['...@gmail.com', '...@gmail.com'],
  ])('%s reaches %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
    expect(mailboxOf(mailbox)).toBe(mailbox);
  });
});

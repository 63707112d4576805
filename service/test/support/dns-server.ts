// A DNS server on this machine: it answers queries for IPv4 and IPv6 addresses as a test requests, and records them.
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface DnsServer {
  /** Address and port, for a resolver. */
  readonly address: string;
  /** Names queried, one entry for each query. */
  readonly asked: readonly string[];
  /**
   * Sets the addresses of a name, of both families; a function is called for each query. Null: queries get no answer.
   */
  answer(name: string, addresses: readonly string[] | null | (() => readonly string[])): void;
  stop(): Promise<void>;
}

const families = new Map([
  [1, 'ipv4'],
  [28, 'ipv6'],
]);

export async function startDnsServer(): Promise<DnsServer> {
  const names = new Map<string, readonly string[] | null | (() => readonly string[])>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = nameAt(query, 12);
    const type = query.readUInt16BE(end);
    asked.push(name);
    const entry = names.get(name);
    if (entry === null) return;
    const all = typeof entry === 'function' ? entry() : entry;
    const found = (all ?? []).map((a) => ipaddr.parse(a)).filter((a) => a.kind() === families.get(type));
    const head = Buffer.alloc(12);
    head.writeUInt16BE(query.readUInt16BE(0), 0);
    // An authoritative answer; code 3 means that the name does not exist.
    head.writeUInt16BE(0x8580 | (all === undefined ? 3 : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found.length, 6);
    const records = found.map((a) => {
      const bytes = a.toByteArray();
      // The queried name, the type, class IN, a lifetime of 0, and the length.
      return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
    });
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), from.port, from.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    answer: (name, addresses) => names.set(name, addresses),
    stop: () => new Promise((closed) => socket.close(() => closed())),
  };
}

function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at++] ?? 0; length > 0; length = message[at++] ?? 0) {
    labels.push(message.toString('latin1', at, at + length));
    at += length;
  }
  return { name: labels.join('.').toLowerCase(), end: at };
}

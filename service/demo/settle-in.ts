// Makes the demo's PSPs and clients, or finds those that an earlier run made, with a key for each PSP.
import type { Assay } from '@assay/client';
import { type House, houses, type Merchant } from './cast.ts';
import type { Receiver } from './receiver.ts';

/** A PSP as the demo acts for it. */
export interface Settled {
  readonly house: House;
  readonly pspId: string;
  readonly api: Assay;
  /** Client ids by the merchants' codes. */
  readonly clients: ReadonlyMap<string, string>;
}

/** @param connect makes a client of the library for a key */
export async function settleIn(
  staff: Assay,
  connect: (apiKey: string) => Assay,
  receiver: Receiver | undefined,
): Promise<Settled[]> {
  const known = new Map<string, string>();
  for await (const a of staff.pages('listAccounts', { kind: 'psp', limit: 200 }))
    known.set(a.registeredName, a.clientId);
  const settled: Settled[] = [];
  for (const house of houses) {
    const before = known.get(house.name);
    const made =
      before === undefined ? await staff.createPsp({ name: house.name, countryCode: house.country }) : undefined;
    const pspId = made?.pspId ?? (before as string);
    const apiKey = made?.apiKey ?? (await staff.issueKey({ accountId: pspId, name: 'demo' })).apiKey;
    const api = connect(apiKey);
    const clients = await clientsOf(api, house);
    settled.push({ house, pspId, api, clients });
    if (receiver)
      for (const m of house.merchants)
        if (m.receiver)
          await api.subscribeToClient({ webhookUrl: receiver.urlFor(m.receiver) }, { clientId: clients.get(m.code) });
  }
  return settled;
}

async function clientsOf(api: Assay, house: House): Promise<Map<string, string>> {
  const numbers = new Map<string | null, string>();
  for await (const c of api.pages('listClients', { limit: 200 })) numbers.set(c.registrationNumber, c.clientId);
  const clients = new Map<string, string>();
  for (const m of house.merchants)
    clients.set(m.code, numbers.get(m.registrationNumber) ?? (await register(api, house, m)));
  return clients;
}

async function register(api: Assay, house: House, m: Merchant): Promise<string> {
  const { headers } = await api.reply('registerClient', {
    registeredName: m.name,
    registrationNumber: m.registrationNumber,
    countryCode: house.country,
    email: m.email,
    phoneNumber: m.phoneNumber,
    classification: m.classification as 'ECOMM_LOCAL',
    organizationTin: m.organizationTin,
  });
  return headers.get('x-client-id') as string;
}

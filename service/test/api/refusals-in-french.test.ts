// Refusals and reports in the language that a reader asks for, with the same values.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languageOf } from '../../src/adapters/http/language.ts';
import { frenchWords } from '../../src/platform/words.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';

let t: TestApp;
let psp: Account;
let client: Account;
const french = { 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.8' };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('a refusal', () => {
  const body = {
    ref: 'order-1',
    totalAmount: 107.5,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 107.5 },
    transactionFee: 0,
  };
  const send = (over: object, headers: Record<string, string> = french) =>
    t.post('/v1/transaction/verifyTransaction', { ...body, ...over }, client.apiKey, headers);

  it('is in French where French is asked for, with the field, the value and the code of the English one', async () => {
    const given = { countryCode: 'QQ' };
    const [fr, en] = [await send(given), await send(given, {})];
    expect(fr.body.message).toBe(
      'le champ «\u00a0countryCode\u00a0» n’est pas un code de pays ISO 3166-1\u00a0: «\u00a0QQ\u00a0»',
    );
    expect(en.body.message).toBe("the field 'countryCode' is not an ISO 3166-1 country code: 'QQ'");
    expect([fr.headers.get('x-error-code'), fr.status]).toEqual([en.headers.get('x-error-code'), en.status]);
    expect([fr.headers.get('content-language'), en.headers.get('content-language')]).toEqual(['fr', 'en']);
  });

  it('says what it is made of in French as well', async () => {
    const { totalAmount: _, ...without } = body;
    const fr = await t.post('/v1/transaction/verifyTransaction', without, client.apiKey, french);
    expect(fr.body.message).toBe('le champ «\u00a0totalAmount\u00a0» est obligatoire');
    expect((await send({ ref: true })).body.message).toMatch(
      /^le champ «\u00a0ref\u00a0» doit être un texte, et non vrai ou faux$/,
    );
  });

  it('leaves a value as it was sent, even one that is a text of ours', async () => {
    const ref = 'not found, or not yours to see';
    const r = await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey, { ...french, 'x-client-id': client.id });
    expect(r.body.message).toBe(`aucune transaction avec la référence «\u00a0${ref}\u00a0»`);
  });

  it('is in English for all who ask for no language, or for one that there is not', () => {
    expect(
      [undefined, '', 'de-DE,de;q=0.9', '*', 'en-US,fr;q=0.9', 'fr;q=0', 'frx', ';;,,;q='].map(languageOf),
    ).toEqual(Array.from({ length: 8 }, () => 'en'));
    expect(['fr', 'FR-fr', 'en;q=0.1, fr', 'de, fr;q=0.5, en;q=0.4'].map(languageOf)).toEqual(
      Array.from({ length: 4 }, () => 'fr'),
    );
  });
});

describe('a report', () => {
  it('has a page in French with French titles, days and figures, and a hash of it; its JSON is in English', async () => {
    contentOf(
      await t.post(
        '/v1/transaction/verifyTransaction',
        {
          ref: 'order-9',
          totalAmount: 1234567.5,
          currency: 'NGN',
          countryCode: 'NG',
          paymentMethods: { card: 1234567.5 },
          transactionFee: 0,
        },
        client.apiKey,
      ),
    );
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'order-9' }, psp.apiKey, { 'x-client-id': client.id }));
    const report = await made(t, { kind: 'chargebacks', period: '2026-11' }, psp.apiKey);
    const { reportId } = report;
    const at = (path: string) => t.get(`/v1/report/${reportId}/${path}`, psp.apiKey);
    const page = (await at('page?language=fr')).text;
    expect(page).toContain('<html lang="fr">');
    for (const text of ['Par devise', 'Frais de traitement', 'Arrêté au', '1\u202f234\u202f567,50'])
      expect(page).toContain(text);
    expect(page).not.toMatch(/By currency|Processing fee|As of|1,234,567/);
    expect((await at('page')).text).toContain('By currency');
    expect((await at('json')).text).toContain('"By currency"');
    expect(report.manifest.files.map((f: { name: string }) => f.name)).toContain('page:fr');
    expect(report.manifest.french['By currency']).toBe('Par devise');
    // Its tables are in French where that is named, for spreadsheets in French; programs go on reading names of fields.
    const { name } = report.manifest.sections.find((s: { title: string }) => s.title === 'By currency');
    const [head = '', row = ''] = (await at(`csv?section=${name}&language=fr`)).text.split('\r\n');
    expect(head.split(';')).toEqual(expect.arrayContaining(['Devise', 'Frais de traitement']));
    expect(row).toContain(';1234567,50;');
    expect((await at(`csv?section=${name}&language=en`)).text).toMatch(/Currency,.*Processing fee/);
    expect((await at(`csv?section=${name}`)).text).toMatch(/^currency,.*\r\n(?:.*,)?1234567\.5,/);
    expect((await at('xlsx?language=fr')).text).not.toBe((await at('xlsx')).text);
  });
});

describe('what is stored in English', () => {
  it('is read in French with its values, and stays English for all others and where it is stored', async () => {
    const sold = { totalAmount: 107.5, currency: 'NGN', countryCode: 'NG', transactionFee: 0 };
    const sale = { ...sold, ref: 'odd-sum', paymentMethods: { card: 7.25 } };
    const { transactionId } = contentOf(await t.post('/v1/transaction/verifyTransaction', sale, client.apiKey, french));
    const read = (headers: Record<string, string>) => t.get(`/v1/transaction/${transactionId}`, client.apiKey, headers);
    const [fr, en] = [await read(french), await read({})];
    const english = 'payment methods sum to 7.25, totalAmount is 107.50';
    expect(contentOf(en).observations).toContainEqual(expect.objectContaining({ message: english }));
    expect(contentOf(fr).observations).toContainEqual(
      expect.objectContaining({ message: 'les moyens de paiement totalisent 7.25, totalAmount est de 107.50' }),
    );
    expect(fr.headers.get('content-language')).toBe('fr');
    expect(contentOf(fr).totalAmount).toBe(contentOf(en).totalAmount);
    const [stored] = await t.database.admin.query<{ observations: string }>(
      "SELECT observations::text AS observations FROM transactions WHERE ref = 'odd-sum'",
    );
    expect(stored?.observations).toContain(english);
  });

  it('is what the data say of taxes and forms, by whole texts only', async () => {
    const forms = contentOf(await t.get('/v1/filing-forms?countryCode=GB', client.apiKey, french)).items;
    const ofIvoryCoast = contentOf(await t.get('/v1/filing-forms?countryCode=CI', client.apiKey, french)).items;
    const authorities = ofIvoryCoast.map((f: { authority: string }) => f.authority);
    expect(authorities).toContain('Direction générale des Impôts, par le concessionnaire (LONACI)');
    expect(authorities.filter((name: string) => /\bthe\b/.test(name))).toEqual([]);
    const vat = forms.find((f: { form: string }) => f.form === 'GB-VAT100');
    expect([vat.title, vat.periods[0].who]).toEqual([
      'Déclaration de TVA (VAT100)',
      'La plupart des entreprises\u202f; HMRC fixe les mois où se terminent les trimestres.',
    ]);
    expect(vat.says).toMatch(/^Neuf cases, .* sans les sept jours\.$/);
    const changes = '/v1/tax/changes?since=2025-07-01&until=2025-07-31&country=EE';
    const notesIn = async (headers: Record<string, string>) =>
      contentOf(await t.get(changes, client.apiKey, headers)).items.map((c: { note: string | null }) => c.note);
    const [fr, en] = [await notesIn(french), await notesIn({})];
    expect(en.filter(Boolean).length).toBeGreaterThan(0);
    expect(fr).toEqual(en.map((note: string | null) => note && frenchWords().get(note)));
  });

  it('is a reason that the service gave itself, and not one that a person wrote', async () => {
    const operator = await t.makeOperator();
    const problems = contentOf(
      await t.post('/v1/admin/risk-rule/check', { rule: { version: 0 } }, operator.apiKey, french),
    );
    expect(problems.problems).toContain('version\u00a0: un nombre entier à partir de 1');
    const reason = 'a licence has ended';
    contentOf(
      await t.post(`/v1/admin/account/${client.id}/hold`, { code: 'SANCTIONS_REVIEW', reason }, operator.apiKey),
    );
    const reasonsOf = async (query: string) =>
      contentOf(await t.get(`/v1/journal?${query}`, operator.apiKey, french)).items.map(
        (entry: { reason: string }) => entry.reason,
      );
    expect(await reasonsOf(`clientId=${client.id}`)).toContain(reason);
    expect(await reasonsOf('kind=rates.changed')).toContain('livré avec cette version');
  });

  it('is the reason of a verdict, in the decision, in its history, and of what the client may not do', async () => {
    const held = await t.makeClient(psp);
    const operator = await t.makeOperator();
    contentOf(
      await t.post(
        `/v1/admin/account/${held.id}/hold`,
        { code: 'LICENCE_EXPIRED', reason: 'see file' },
        operator.apiKey,
      ),
    );
    const sale = { ref: 'held-1', totalAmount: 10, currency: 'NGN', countryCode: 'NG', paymentMethods: { card: 10 } };
    const sent = await t.post('/v1/transaction/verifyTransaction', { ...sale, transactionFee: 0 }, held.apiKey);
    const { transactionId } = contentOf(sent);
    const asked = async (path: string) => contentOf(await t.get(path, psp.apiKey, french));
    const { decision } = await asked(`/v1/transaction/${transactionId}?expand=decision`);
    expect(decision.reason).toMatch(/^le client est bloqué/);
    const { items } = await asked(`/v1/transaction/${transactionId}/history`);
    expect(items.map((i: { reason: string }) => i.reason)).toEqual([decision.reason]);
    expect((await asked(`/v1/client/${held.id}`)).reason).toBe(decision.reason);
  });

  it('is what a client has to show, and that the law behind it is another country’s', async () => {
    const asked = (headers: Record<string, string>) =>
      t.get(`/v1/client/${client.id}?expand=requirements`, psp.apiKey, headers).then((r) => contentOf(r).requirements);
    const [inFrench, inEnglish] = [await asked(french), await asked({})];
    expect(inEnglish.length).toBeGreaterThan(2);
    for (const [i, r] of inFrench.entries()) {
      expect(r.what).toMatch(/^(un document\u00a0: |une licence pour |les détenteurs de |le numéro fiscal$)/);
      expect(r.what).not.toBe(inEnglish[i].what);
      expect(`${r.law}`.replace(/^par analogie avec /, 'as in ')).toBe(`${inEnglish[i].law}`);
      expect(`${r.law}`).not.toMatch(/^as in/);
    }
    expect(inFrench.some((r: { law: string | null }) => r.law?.startsWith('par analogie avec '))).toBe(true);
  });

  it('is the state of the service, to the last check', async () => {
    const { checks } = contentOf(await t.get('/v1/admin/status', (await t.makeOperator()).apiKey, french));
    const english = checks.filter((c: { title: string; advice: string | null }) =>
      /\b(?:the|of|and|waiting|look|keys?|readers?)\b/i.test(`${c.title} ${c.advice ?? ''}`),
    );
    expect(english).toEqual([]);
    expect(checks.length).toBeGreaterThan(10);
  });
});

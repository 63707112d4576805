// A rule of secretlint for the secrets that Assay issues: API keys, webhook secrets, session tokens.
const forms = {
  API_KEY: /\basy(?:test)?_[0-9a-hjkmnp-tv-z]{26}_[0-9A-Za-z_-]{43}_[0-9a-f]{8}\b/g,
  WEBHOOK_SECRET: /\bwhsec_[0-9A-Za-z+/]{32,}={0,2}/g,
  SESSION_TOKEN: /\bses_[0-9a-hjkmnp-tv-z]{26}_[0-9A-Za-z_-]{43}/g,
} as const;
type Form = keyof typeof forms;
type Message = Readonly<Record<'en', (data: { found: string }) => string>>;

const messages: Readonly<Record<Form, Message>> = {
  API_KEY: { en: ({ found }) => `found an API key of Assay: ${found}` },
  WEBHOOK_SECRET: { en: ({ found }) => `found a webhook secret of Assay: ${found}` },
  SESSION_TOKEN: { en: ({ found }) => `found the token of a session of Assay: ${found}` },
};

interface Context {
  createTranslator(of: typeof messages): (form: Form, data: { found: string }) => unknown;
  report(finding: { message: unknown; range: readonly [number, number] }): void;
}

export const creator = {
  messages,
  meta: { id: 'assay-own-forms', type: 'scanner', recommended: true, supportedContentTypes: ['text'] },
  create(context: Context, { madeUp = [] }: { readonly madeUp?: readonly string[] } = {}) {
    const say = context.createTranslator(messages);
    return {
      file({ content }: { readonly content: string }) {
        for (const form of Object.keys(forms) as Form[])
          for (const { 0: found, index } of content.matchAll(forms[form]))
            if (!madeUp.includes(found))
              context.report({ message: say(form, { found }), range: [index, index + found.length] });
      },
    };
  },
} as const;

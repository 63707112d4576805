// What `npm run secrets` looks for: the library's recommended rules, and keys and secrets of the forms that Assay
// issues. What has such a form on purpose stands here by value, or in .secretlintignore by file, with its reason.
const { join } = require('node:path');

module.exports = {
  rules: [
    {
      id: '@secretlint/secretlint-rule-preset-recommend',
      rules: [
        {
          id: '@secretlint/secretlint-rule-basicauth',
          // An address with a user name, which the tests show to be refused as a webhook's.
          options: { allows: ['/^https:..user:pass@hooks.example.com/'] },
        },
        {
          id: '@secretlint/secretlint-rule-database-connection-string',
          // Servers that are made up, in tests: the user 'u', and the password 'pw'.
          options: { allows: ['/^postgres(ql)?:..(u:|[a-z_]+:pw@)/'] },
        },
      ],
    },
    {
      id: join(__dirname, 'service/test/secrets/own-forms.ts'),
      // The bytes 0 to 31 and 224 to 255: the vectors' own secrets, which sign nothing else.
      options: { madeUp: [secret(0), secret(224)] },
    },
  ],
};

function secret(first) {
  return `whsec_${Buffer.from(Array.from({ length: 32 }, (_, i) => first + i)).toString('base64')}`;
}

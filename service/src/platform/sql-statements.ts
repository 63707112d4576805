// Cuts a migration's text into its statements, for a database that takes them one by one. Knows strings, quoted names,
// dollar quotes and comments; nothing else of SQL.

const tokens = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"$/;-]+|[\s\S]/g;

/** The statements of a text, in order and without what is only a comment. Together they are the text but for semicolons. */
export function statementsOf(sql: string): string[] {
  const found: string[] = [];
  let text = '';
  let says = false;
  const end = () => {
    if (says) found.push(text.trim());
    text = '';
    says = false;
  };
  for (const [token] of sql.matchAll(tokens)) {
    if (token === ';') {
      end();
      continue;
    }
    text += token;
    says ||= !/^(?:--|\/\*|\s*$)/.test(token);
  }
  end();
  return found;
}

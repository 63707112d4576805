// Saves a CSV as a file.

export function saveCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By the next turn the browser has taken the content.
  setTimeout(() => URL.revokeObjectURL(url));
}

// Saves a text as a file.

export function saveText(name: string, contentType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: contentType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By the next turn the browser has taken the content.
  setTimeout(() => URL.revokeObjectURL(url));
}

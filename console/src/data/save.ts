// Hands a text to the person as a file.

export function saveText(name: string, contentType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: contentType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of the content by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
}

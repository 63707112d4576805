// A text that begins with a capital letter, as a sentence or a heading does.

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

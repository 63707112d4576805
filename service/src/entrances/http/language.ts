// The language a refusal is said in: the first that the caller asks for by Accept-Language and that there is. English is
// for all who ask for none.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { english, type Language, languages, type Said } from '../../core/said.ts';
import { frenchWords } from '../../platform/words.ts';

/** Longer headers are cut: no browser sends as much. */
const mostCharacters = 200;

const isLanguage = (tag: string | undefined): tag is Language => languages.some((l) => l === tag);

/** @param header as in RFC 9110: tags such as fr-CA, each with its weight */
export function languageOf(header: string | undefined): Language {
  if (header === undefined) return 'en';
  const wanted = header
    .slice(0, mostCharacters)
    .toLowerCase()
    .split(',')
    .map((part) => ({
      language: part.trim().split(/[-;\s]/)[0],
      weight: Number(/;\s*q=([\d.]{1,5})\s*$/.exec(part)?.[1] ?? 1),
    }))
    .sort((a, b) => b.weight - a.weight);
  return (
    wanted
      .filter((w) => w.weight > 0)
      .map((w) => w.language)
      .find(isLanguage) ?? 'en'
  );
}

/** A sentence in the caller's language, which the answer then names. */
export function sayTo({ headers }: FastifyRequest, reply: FastifyReply, sentence: Said): string {
  const language = languageOf(headers['accept-language']);
  reply.header('content-language', language);
  return sentence.by(language === 'fr' ? frenchWords() : english);
}

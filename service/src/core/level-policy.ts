// Which verification level is needed to be approved, as the setting REQUIRED_LEVEL says it: one level for all, and others for
// single classifications. A misspelt name would leave its classification with the level of all, so it is refused.
import { classifications, type LevelPolicy, type VerificationLevel, verificationLevels } from './standing.ts';

const isLevel = (text: string): text is VerificationLevel => (verificationLevels as readonly string[]).includes(text);

/**
 * Reads a list such as BASIC,IGAMING_GLOBAL=ENHANCED.
 * @returns an error whose message continues the setting's name
 */
export function readLevelPolicy(parts: readonly string[]): LevelPolicy | Error {
  const levels = new Map<string, VerificationLevel>();
  for (const part of parts) {
    const end = part.indexOf('=');
    const name = part.slice(0, Math.max(end, 0)).trim();
    const level = part.slice(end + 1).trim();
    if (end >= 0 && !(classifications as readonly string[]).includes(name))
      return new Error(`must name classifications among ${classifications.join(', ')}, not '${name}'`);
    if (!isLevel(level)) return new Error(`must be one of ${verificationLevels.join(', ')}, not '${level}'`);
    if (levels.has(name)) return new Error(`gives two levels ${name ? `for ${name}` : 'for all classifications'}`);
    levels.set(name, level);
  }
  const { '': all = 'BASIC', ...byClassification } = Object.fromEntries(levels);
  return { default: all, byClassification };
}

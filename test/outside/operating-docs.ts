import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The operating guide. */
export const GUIDE = readFileSync(
  fileURLToPath(new URL('../../docs/operating.md', import.meta.url)),
  'utf8',
)

interface Snippet {
  readonly language: string
  readonly text: string
}

/** Every block of code in the guide. */
export const SNIPPETS: readonly Snippet[] = [...GUIDE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({ language, text }),
)

/** The only block in a language. */
export function snippet(language: string): string {
  const found = SNIPPETS.filter((each) => each.language === language)
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${language}`)
  return found[0]?.text ?? ''
}

/** A text with one thing in it exchanged, which has to be there. */
export function exchange(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`no ${from} in: ${text}`)
  return text.replaceAll(from, to)
}

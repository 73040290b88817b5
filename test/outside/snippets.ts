import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/run.js'

/** A page of `docs/`, and every block of code in it. */
export function guide(page: string) {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
  const snippets = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', code = '']) => ({ language, text: code }),
  )
  /** The only block in a language. */
  const snippet = (language: string): string => {
    const found = snippets.filter((each) => each.language === language)
    if (found.length !== 1) throw new Error(`${found.length} blocks of ${language}`)
    return found[0]?.text ?? ''
  }
  return { text, snippets, snippet }
}

/** A text with one thing in it exchanged, which has to be there. */
export function exchange(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`no ${from} in: ${text}`)
  return text.replaceAll(from, to)
}

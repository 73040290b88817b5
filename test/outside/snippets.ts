import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ROOT } from '../process/run.js'

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

/**
 * A port that nobody listens on, below those that systems give to whoever asks for any (from 32768 on, at the
 * lowest): nobody gets it by chance before its server listens, nor while that is stopped.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

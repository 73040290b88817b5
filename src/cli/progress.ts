import { printable } from '../contract/printable.js'
import type { Terminal } from './command.js'

const INTERVAL_MS = 100

/**
 * Works with a line on standard error that `show` writes over and over and that is gone in the end;
 * nothing where nobody watches.
 */
export async function withProgress<T>(
  { stderr }: Pick<Terminal, 'stderr'>,
  work: (show: (text: string) => void) => Promise<T>,
): Promise<T> {
  const write = (text: string) => stderr.isTTY === true && stderr.write(`\r\u001b[K${text}`)
  let shownAt = Number.NEGATIVE_INFINITY
  try {
    return await work((text) => {
      const now = performance.now()
      if (now - shownAt < INTERVAL_MS) return
      shownAt = now
      write(printable(text))
    })
  } finally {
    write('')
  }
}

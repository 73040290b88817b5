import type { Terminal } from './command.js'

const INTERVAL_MS = 100

/** A line on standard error that is written over and over; nothing where nobody watches. */
export interface Progress {
  show(text: string): void
  /** Clears the line. */
  end(): void
}

export function createProgress({ stderr }: Pick<Terminal, 'stderr'>): Progress {
  if (stderr.isTTY !== true) return { show: () => {}, end: () => {} }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show(text) {
      const now = performance.now()
      if (now - shownAt < INTERVAL_MS) return
      shownAt = now
      stderr.write(`\r\u001b[K${text}`)
    },
    end() {
      stderr.write('\r\u001b[K')
    },
  }
}

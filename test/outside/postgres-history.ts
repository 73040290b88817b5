import { expect } from 'vitest'
import { copyHistory } from '../../src/history/copy.js'
import { PASSWORD } from './servers.js'

/** Puts a SQLite history into a new one of PostgreSQL. */
export async function moved(from: string, to: string): Promise<void> {
  expect((await copyHistory(from, to, { now: 0 })).findings).toEqual([])
}

/** No text has the password of the tests, however it is written. */
export function expectHidden(...texts: readonly string[]): void {
  for (const text of texts) {
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), JSON.stringify(PASSWORD)]) {
      expect(text).not.toContain(secret)
    }
  }
}

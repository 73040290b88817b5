import { onTestFinished, TestRunner } from 'vitest'

const ends: (() => unknown)[] = []

/** Does this after the last test of the file, what was asked for last first. */
export function atEnd(end: () => unknown): void {
  ends.push(end)
}

/** Does this after the test that runs or is prepared; outside of one, or where several run at once, `atEnd`. */
export function afterUse(end: () => unknown): void {
  const test = TestRunner.getCurrentTest()
  if (test === undefined || test.concurrent) atEnd(end)
  else onTestFinished(async () => void (await end()))
}

/** What test/support/setup.ts does after each file. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

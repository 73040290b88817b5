const ends: (() => unknown)[] = []

/** Does this after the last test of the file, what was asked for last first. */
export function atEnd(end: () => unknown): void {
  ends.push(end)
}

/** What test/support/setup.ts does after each file. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

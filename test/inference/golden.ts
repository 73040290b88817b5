import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Figures made by numpy and R; their scripts lie beside them, and test/outside runs these again.

export const goldenPath = (name: string): string =>
  fileURLToPath(new URL(`../golden/inference/${name}`, import.meta.url))

export const golden = (name: string): string => readFileSync(goldenPath(name), 'utf8')

/** The cells of a table, without its header. */
export const goldenRows = (name: string): string[][] =>
  golden(name)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))

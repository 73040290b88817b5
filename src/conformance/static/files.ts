import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isFolder } from '../../remote/deployment.js'
import { PAGES_FOLDER, pageNumber } from '../../site/layout.js'

/** Size limit of a file, and of a decompressed copy: a small one can expand to any size. */
export const LARGEST = 64 * 1024 * 1024

/** The numbers of the pages in a folder, in order. */
export function pageNumbers(folder: string): number[] {
  const pages = join(folder, PAGES_FOLDER)
  const numbers = (isFolder(pages) ? readdirSync(pages) : [])
    .map((name) => pageNumber(`${PAGES_FOLDER}/${name}`))
    .filter((n) => n !== undefined)
  return numbers.sort((a, b) => a - b)
}

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The top of the git repository around a folder, which need not be there yet; else the folder itself. */
export function topOfRepository(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return folder
  }
}

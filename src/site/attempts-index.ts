import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ATTEMPTS_INDEX,
  type AttemptsFile,
  monthFile,
  readAttemptsIndex,
} from '../remote/attempts.js'
import { API_FOLDER } from './layout.js'

export const ATTEMPTS_FOLDER = `${API_FOLDER}/attempts`
export const ATTEMPTS_INDEX_FILE = `${API_FOLDER}/${ATTEMPTS_INDEX}`

/** Files of a built site by their month; none where there is no list that can be read. */
export function attemptFiles(folder: string): Map<string, AttemptsFile> {
  let text = ''
  try {
    text = readFileSync(join(folder, ATTEMPTS_INDEX_FILE), 'utf8')
  } catch {
    // A site without recorded attempts has no list of them.
  }
  const files = readAttemptsIndex(text)?.files ?? []
  return new Map(files.map((file) => [monthOf(file.path), file]))
}

/** How many recorded attempts a built site has, by month. */
export function publishedAttempts(folder: string): Map<string, number> {
  return new Map([...attemptFiles(folder)].map(([month, { attempts }]) => [month, attempts]))
}

function monthOf(path: string): string {
  const month = /\d{4}-\d{2}/.exec(path)?.[0] ?? ''
  return monthFile(month) === path ? month : ''
}

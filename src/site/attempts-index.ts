import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ATTEMPTS_INDEX, type AttemptsFile, readAttemptsIndex } from '../remote/attempts.js'
import { API_FOLDER } from './layout.js'

export const ATTEMPTS_FOLDER = `${API_FOLDER}/attempts`
export const ATTEMPTS_INDEX_FILE = `${API_FOLDER}/${ATTEMPTS_INDEX}`

/** Files of a built site by their path; none where there is no list that can be read. */
export function attemptFiles(folder: string): Map<string, AttemptsFile> {
  let text = ''
  try {
    text = readFileSync(join(folder, ATTEMPTS_INDEX_FILE), 'utf8')
  } catch {
    // A site without recorded attempts has no list of them.
  }
  return new Map(readAttemptsIndex(text)?.files.map((file) => [file.path, file]))
}

import { ATTEMPTS_INDEX, type AttemptsFile, readAttemptsIndex } from '../remote/attempts.js'
import { API_FOLDER } from './layout.js'
import type { BuiltSite } from './writer/types.js'

export const ATTEMPTS_FOLDER = `${API_FOLDER}/attempts`
export const ATTEMPTS_INDEX_FILE = `${API_FOLDER}/${ATTEMPTS_INDEX}`

/** Files of a built site by their path; none where there is no list that can be read. */
export async function attemptFiles(
  site: BuiltSite | undefined,
): Promise<Map<string, AttemptsFile>> {
  const text = await site?.read(ATTEMPTS_INDEX_FILE)
  const index = readAttemptsIndex(text?.toString() ?? '')
  return new Map(index?.files.map((file) => [file.path, file]))
}

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatUtc, type Instant, MICROS_PER_SECOND } from '../../contract/instant.js'
import { importFiles } from '../../history/import/import-files.js'
import { SECRETS, SETTINGS } from '../../service/config/settings.js'
import { writeSyntheticData } from './synthetic-data.js'

/** What `serve --demo` serves: the demo's forecasts in a separate folder, and a key for one run. */
interface ServedDemo {
  readonly key: string
  readonly newestOrigin: Instant
  /** Variables that point the service to the folder; they override the environment. */
  readonly env: NodeJS.ProcessEnv
  /** Removes the folder. */
  remove(): void
}

export async function prepareServedDemo(env: NodeJS.ProcessEnv, now: Instant): Promise<ServedDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'foreproof-demo-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const data = await writeSyntheticData(join(folder, 'data'))
    const history = join(folder, 'history.sqlite')
    await importFiles(history, [data.forecasts], { now })
    const key = `demo-${randomBytes(15).toString('base64url')}`
    return {
      key,
      newestOrigin: data.newestOrigin,
      env: {
        ...env,
        [SECRETS.keys]: key,
        [SECRETS.plainKeysFile]: '',
        [SETTINGS.keysFile.variable]: '',
        [SETTINGS.historyPath.variable]: history,
        [`${SETTINGS.historyPath.variable}_FILE`]: '',
        [SETTINGS.healthPath.variable]: data.health,
        [SETTINGS.auditPath.variable]: join(folder, 'reads.jsonl'),
      },
      remove,
    }
  } catch (cause) {
    remove()
    throw cause
  }
}

/** What the service prints when it listens: the key, a line to try, and how age affects the data. */
export function servedDemoWords(
  { key, newestOrigin }: ServedDemo,
  url: string,
  staleAfterSeconds: number,
  now: Instant,
): string {
  const stale = newestOrigin + staleAfterSeconds * MICROS_PER_SECOND
  const looks = now > stale ? 'they have looked stale since' : 'they will look stale after'
  return (
    `Serving synthetic forecasts; the key of this run is ${key}\n\n` +
    `  curl -H 'Authorization: Bearer ${key}' '${url}/v1/forecasts?limit=2'\n\n` +
    `The forecasts end at ${formatUtc(newestOrigin)}, so ${looks} ${formatUtc(stale)}, and\n` +
    `${url}/v1/health then says "degraded". To see them fresh: --stale-after-seconds 1000000000\n\n` +
    'Stop with Ctrl-C.\n'
  )
}

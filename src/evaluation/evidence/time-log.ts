import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../contract/error.js'
import { isObject } from '../../contract/is-object.js'
import { readRegular } from '../../files/regular.js'
import type { LogEntry, StoredCheckpoint } from '../../history/store/log-types.js'
import { LARGEST_TOKEN } from '../../time/rfc3161/types.js'
import { TOKEN_SUFFIX } from '../../time/token-file.js'
import type { LogSource } from '../proof/log-source.js'
import { faultyLine, linesIn } from './lines.js'
import { entryLine, LOG } from './time-files.js'

const LARGEST_NOTE = 65_536
/** A model may have a long name. */
const LONGEST_LINE = 65_536

/** The log that an evidence folder carries, read strictly: in the one spelling that `score` writes. */
export function evidenceLog(folder: string, name: string): LogSource {
  const file = join(folder, LOG.entries)
  return {
    name,
    file,
    checkpoints: () => checkpointsIn(folder),
    entries: (size) => entriesIn(file, size),
  }
}

async function* checkpointsIn(folder: string): AsyncGenerator<StoredCheckpoint> {
  const sizes = namesIn(join(folder, LOG.checkpoints)).map(Number)
  for (const size of sizes.sort((a, b) => a - b)) {
    const note = readRegular(join(folder, LOG.checkpoints, String(size)), LARGEST_NOTE, NO_LINKS)
    const stamps = join(folder, LOG.stamps, String(size))
    yield {
      size,
      note: note.toString('utf8'),
      stamps: namesIn(stamps).map((token) => ({
        authority: token.slice(0, -TOKEN_SUFFIX.length),
        token: readRegular(join(stamps, token), LARGEST_TOKEN, NO_LINKS),
      })),
    }
  }
}

const NO_LINKS = { links: 'refuse' } as const

/** Foreign names were told when the folder was looked at. */
function namesIn(folder: string): string[] {
  const own = folder.endsWith('checkpoints') ? /^(?:0|[1-9]\d{0,15})$/ : /\.tsr$/
  try {
    return readdirSync(folder)
      .filter((name) => own.test(name))
      .sort()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw fileError(cause, folder)
  }
}

/** @param size - how many there are: more is a fault, fewer is for the roots to tell. */
async function* entriesIn(file: string, size: number): AsyncGenerator<readonly LogEntry[]> {
  let index = 0
  for (const lines of linesIn(file, LONGEST_LINE)) {
    const entries = lines.map((line) => entryOf(line, index++, file))
    if (index > size) {
      throw faultyLine(file, size + 1, 'is beyond the last checkpoint')
    }
    yield entries
  }
}

function entryOf(line: string, index: number, file: string): LogEntry {
  const value = parsed(line)
  const { leaf, kind, origin_at: originAt, model, horizon_hours: horizonHours } = value
  const key =
    (kind === 'forecast' || kind === 'attempt') &&
    typeof originAt === 'string' &&
    typeof model === 'string' &&
    typeof horizonHours === 'number'
      ? ({ kind, originAt, model, horizonHours } as const)
      : undefined
  const bytes = Buffer.from(typeof leaf === 'string' ? leaf : '', 'hex')
  const entry = { index, leaf: bytes, key }
  if (bytes.length === 32 && entryLine(entry, true) === `${line}\n`) return entry
  throw faultyLine(file, index + 1, 'is no entry of a log as foreproof score writes it')
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

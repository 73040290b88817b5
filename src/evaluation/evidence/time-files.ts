import { basename, join } from 'node:path'
import { objectIn } from '../../contract/is-object.js'
import { invalidLineError, readLines } from '../../files/lines.js'
import type { StagedFolder } from '../../files/new-folder.js'
import { listFileNames, readRegular } from '../../files/regular.js'
import type { LogEntry, LogKey, StoredCheckpoint } from '../../log/log-entry.js'
import { MAX_NOTE_BYTES } from '../../log/note.js'
import type { RegistrationTime } from '../../time/registration-time.js'
import { MAX_TOKEN_BYTES } from '../../time/rfc3161/time-stamp.js'
import { TOKEN_SUFFIX } from '../../time/token-file.js'
import type { TimedCheckpoint } from '../proof/checkpoints.js'
import type { LogSource } from '../proof/log-source.js'
import { LOG_FILES, TIME } from './folder.js'

/** Writes the anchors and stamps that prove the time of a registration, in the same layout as beside a ledger. */
export function writeStamps(
  folder: StagedFolder,
  { anchors, stamps }: Pick<RegistrationTime, 'anchors' | 'stamps'>,
): void {
  const lists = new Map(anchors.flatMap(({ crls }) => crls.map((crl) => [crl.file, crl.der])))
  for (const { name, certificate } of anchors) {
    folder.put(anchorPath(`${name}.pem`), pem(certificate.der))
  }
  for (const [file, der] of lists) folder.put(anchorPath(basename(file)), der)
  for (const { authority, entrySha256, file } of stamps) {
    const token = readRegular(file, MAX_TOKEN_BYTES, { links: 'refuse' })
    folder.put(`${TIME}/stamps/${entrySha256}/${authority}${TOKEN_SUFFIX}`, token)
  }
}

const anchorPath = (name: string) => `${TIME}/anchors/${name}`

function pem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Writes the checkpoints that count, with the tokens that count. */
export function writeCheckpoints(
  folder: StagedFolder,
  checkpoints: readonly TimedCheckpoint[],
): void {
  for (const { size, note, stamps } of checkpoints) {
    folder.put(`${LOG_FILES.checkpoints}/${size}`, note)
    for (const { authority, token } of stamps) {
      folder.put(`${LOG_FILES.stamps}/${size}/${authority}${TOKEN_SUFFIX}`, token)
    }
  }
}

/** An entry of a log as a line. @param shown - whether its key is included: for an entry of the window. */
export function entryLine({ leaf, key }: LogEntry, shown: boolean): string {
  const hex = Buffer.from(leaf).toString('hex')
  if (!shown || key === undefined) return `{"leaf":"${hex}"}\n`
  const { kind, series, originAt, model, horizonHours } = key
  const members =
    series === undefined
      ? { origin_at: originAt, horizon_hours: horizonHours }
      : { series, origin: originAt, horizon: horizonHours }
  return `${JSON.stringify({ leaf: hex, kind, ...members, model })}\n`
}

/** The parts of a folder `time` by their paths in it. */
export const inTime = (folder: string): string => join(folder, TIME)

const SIZE = /^(?:0|[1-9]\d{0,15})$/
/** A model may have a long name. */
const LONGEST_LINE = 65_536

/** The log in an evidence folder, parsed strictly: only the spelling that `score` writes. */
export function evidenceLog(folder: string, name: string): LogSource {
  const file = join(folder, LOG_FILES.entries)
  return {
    name,
    file,
    checkpoints: () => checkpointsIn(folder),
    entries: (size) => entriesIn(file, size),
  }
}

async function* checkpointsIn(folder: string): AsyncGenerator<StoredCheckpoint> {
  // Unknown names were already reported when the folder was checked.
  const names = listFileNames(join(folder, LOG_FILES.checkpoints)).filter((name) => SIZE.test(name))
  const sizes = names.map(Number)
  for (const size of sizes.sort((a, b) => a - b)) {
    const note = readRegular(
      join(folder, LOG_FILES.checkpoints, String(size)),
      MAX_NOTE_BYTES,
      NO_LINKS,
    )
    const stamps = join(folder, LOG_FILES.stamps, String(size))
    yield {
      size,
      note: note.toString('utf8'),
      stamps: listFileNames(stamps)
        .filter((name) => name.endsWith(TOKEN_SUFFIX))
        .map((token) => ({
          authority: token.slice(0, -TOKEN_SUFFIX.length),
          token: readRegular(join(stamps, token), MAX_TOKEN_BYTES, NO_LINKS),
        })),
    }
  }
}

const NO_LINKS = { links: 'refuse' } as const

/**
 * @param size - the expected number: more entries are a fault, fewer change the roots.
 */
async function* entriesIn(file: string, size: number): AsyncGenerator<readonly LogEntry[]> {
  let index = 0
  for (const lines of readLines(file, LONGEST_LINE)) {
    const entries = lines.map((line) => parseEntry(line, index++, file))
    if (index > size) {
      throw invalidLineError(file, size + 1, 'is beyond the last checkpoint')
    }
    yield entries
  }
}

function parseEntry(line: string, index: number, file: string): LogEntry {
  const { leaf, kind, model, ...keyMembers } = objectIn(line) ?? {}
  const { series } = keyMembers
  const isSeries = typeof series === 'string'
  const originAt = isSeries ? keyMembers.origin : keyMembers.origin_at
  const horizonHours = isSeries ? keyMembers.horizon : keyMembers.horizon_hours
  const key: LogKey | undefined =
    (kind === 'forecast' || kind === 'attempt') &&
    typeof originAt === 'string' &&
    typeof model === 'string' &&
    typeof horizonHours === 'number'
      ? { kind, originAt, model, horizonHours, ...(isSeries && { series }) }
      : undefined
  const bytes = Buffer.from(typeof leaf === 'string' ? leaf : '', 'hex')
  const entry = { index, leaf: bytes, key }
  if (bytes.length === 32 && entryLine(entry, true) === `${line}\n`) return entry
  throw invalidLineError(file, index + 1, 'is no entry of a log as foreproof score writes it')
}

import { type Dirent, opendirSync } from 'node:fs'
import { join } from 'node:path'
import { isAuthorityName } from '../../contract/authority-name.js'
import { fileError } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { readGzip } from '../../files/gzip.js'
import { describeKind } from '../../files/regular.js'
import { LARGEST_RECORD } from '../../protocol/readings.js'
import { TOKEN_SUFFIX } from '../../time/token-file.js'
import type { Result } from '../result/result.js'
import { PAIRS_LIMIT } from './pairs-limit.js'

/** The output files of a run. */
export const FILES = {
  pairs: 'pairs.ndjson.gz',
  result: 'result.json',
  cells: 'cells.ndjson',
  html: 'report.html',
  markdown: 'report.md',
  access: 'access.jsonl',
  inputs: 'inputs.json',
  crate: 'ro-crate-metadata.json',
  statement: 'statement.intoto.json',
} as const

/** The folder of the proofs of time; only if a registration names authorities. */
export const TIME = 'time'

const MIB = 1_048_576

/** Largest size of each file, in bytes, as stated in docs/reference/evidence-files.md. A larger file is of another kind. */
export const MAX_BYTES_OF: Readonly<Record<FileName, number>> = {
  [FILES.pairs]: 16_384 * MIB,
  [FILES.result]: 256 * MIB,
  [FILES.cells]: 4096 * MIB,
  [FILES.html]: 256 * MIB,
  [FILES.markdown]: 256 * MIB,
  [FILES.access]: LARGEST_RECORD,
  [FILES.inputs]: MIB,
  [FILES.crate]: 256 * MIB,
  [FILES.statement]: 256 * MIB,
}

/** The lines of the pairs of a folder, as bytes: digests and comparisons use these, never the compressed ones. */
export const pairsIn = (folder: string): Generator<Uint8Array, undefined> =>
  readGzip(join(folder, FILES.pairs), PAIRS_LIMIT)

/** Renders a result for people; the same result always gives the same bytes. */
export interface ReportRenderers {
  readonly html: (result: Result) => string
  readonly markdown: (result: Result) => string
}

export type FileName = (typeof FILES)[keyof typeof FILES]

/** The paths of the parts of a log in an evidence folder. */
export const LOG_FILES = {
  entries: `${TIME}/log/entries.ndjson`,
  checkpoints: `${TIME}/log/checkpoints`,
  stamps: `${TIME}/log/stamps`,
} as const

const is = (text: string) => (name: string) => name === text
const matches = (pattern: RegExp) => (name: string) => pattern.test(name)
const isSize = matches(/^(?:0|[1-9]\d{0,15})$/)
const isToken = (name: string) =>
  name.endsWith(TOKEN_SUFFIX) && isAuthorityName(name.slice(0, -TOKEN_SUFFIX.length))

type Step = (name: string) => boolean

/** The files of an evidence folder, each by the steps of its path. */
const OWN: readonly (readonly Step[])[] = [
  ...Object.values(FILES).map((name) => [is(name)]),
  [is(TIME), is('anchors'), matches(/^[^.].*\.(?:pem|crl)$/)],
  [is(TIME), is('stamps'), matches(/^[0-9a-f]{64}$/), isToken],
  [is(TIME), is('log'), is('entries.ndjson')],
  [is(TIME), is('log'), is('checkpoints'), isSize],
  [is(TIME), is('log'), is('stamps'), isSize, isToken],
]

/** `score` never writes a folder with more entries, so the rest is not read. */
const mostIn = (path: string): number =>
  // Enough for one checkpoint per hour for longer than any evaluation.
  /^time\/log\/(?:checkpoints|stamps)\/$/.test(path) ? 1_000_000 : 1000

/**
 * Checks that a folder contains only files, and which of them `score` did not write. Additional files have no effect,
 * but people may mistake them for evidence.
 * @returns an error for anything but a regular file; a warning for files with other names.
 */
export function entryFindings(folder: string): Finding[] {
  const { odd, others } = walkFolder(folder)
  if (odd.length > 0) return odd
  return others.length === 0 ? [] : [foreign(folder, others.sort())]
}

/** The paths of the files that `score` writes, relative to the folder, in the order of their code units. */
export const ownFiles = (folder: string): string[] => walkFolder(folder).own.sort()

/** Walks through the folders of the evidence, and no others. */
function walkFolder(folder: string) {
  const odd: Finding[] = []
  const ours: string[] = []
  const others: string[] = []
  const into = (path: string, ways: typeof OWN) => {
    for (const entry of listEntries(join(folder, path), mostIn(path))) {
      const name = path + entry.name
      const on = ways.filter(([step]) => step?.(entry.name)).map(([, ...rest]) => rest)
      const further = on.filter((rest) => rest.length > 0)
      const kind = describeKind(entry)
      if (entry.isDirectory() && further.length > 0) into(`${name}/`, further)
      else if (kind !== undefined) odd.push(notAFile(folder, name, kind))
      else (on.length > further.length ? ours : others).push(name)
    }
  }
  into('', OWN)
  return { odd, own: ours, others }
}

function listEntries(folder: string, max: number): Dirent[] {
  const entries: Dirent[] = []
  try {
    const opened = opendirSync(folder)
    try {
      while (entries.length < max) {
        const entry = opened.readSync()
        if (entry === null) break
        entries.push(entry)
      }
    } finally {
      opened.closeSync()
    }
  } catch (cause) {
    throw fileError(cause, folder)
  }
  return entries
}

const notAFile = (folder: string, name: string, kind: string) =>
  finding('evidence-not-a-file', { name, kind }, { file: join(folder, name) })

/** Files that were not written by the run that wrote the folder. */
export const foreign = (folder: string, names: readonly string[]): Finding =>
  finding('evidence-foreign-files', { names, count: names.length }, { file: folder })

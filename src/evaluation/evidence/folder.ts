import { type Dirent, opendirSync } from 'node:fs'
import { join } from 'node:path'
import { isAuthorityName } from '../../contract/authority-name.js'
import { fileError } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { otherKind } from '../../files/regular.js'
import { TOKEN_SUFFIX } from '../../time/token-file.js'
import type { EvaluationResult } from '../result/types.js'

/** What a run leaves behind, by name. */
export const FILES = {
  pairs: 'pairs.ndjson',
  result: 'result.json',
  html: 'report.html',
  markdown: 'report.md',
  access: 'access.jsonl',
  inputs: 'inputs.json',
  crate: 'ro-crate-metadata.json',
  statement: 'statement.intoto.json',
} as const

/** What bears the times out, in folders of its own; there where a registration names authorities. */
export const TIME = 'time'

const MIB = 1_048_576

/** Largest size of each file, in bytes; docs/evidence.md states them. Beyond it, it is another kind of file. */
export const MAX_BYTES_OF: Readonly<Record<FileName, number>> = {
  [FILES.pairs]: 16_384 * MIB,
  [FILES.result]: 256 * MIB,
  [FILES.html]: 256 * MIB,
  [FILES.markdown]: 256 * MIB,
  [FILES.access]: 64 * MIB,
  [FILES.inputs]: MIB,
  [FILES.crate]: 256 * MIB,
  [FILES.statement]: 256 * MIB,
}

/** How a result is shown to people; the same result always gives the same bytes. */
export interface Renderers {
  readonly html: (result: EvaluationResult) => string
  readonly markdown: (result: EvaluationResult) => string
}

export type FileName = (typeof FILES)[keyof typeof FILES]

/** Where the parts of a log lie in an evidence folder. */
export const LOG_FILES = {
  entries: `${TIME}/log/entries.ndjson`,
  checkpoints: `${TIME}/log/checkpoints`,
  stamps: `${TIME}/log/stamps`,
} as const

/** What a folder of the evidence may hold. */
interface Layout {
  /** A folder with more entries is none that `score` wrote: the rest is not looked at. */
  readonly most: number
  readonly isFile: (name: string) => boolean
  /** The folder of that name; undefined where there is none. */
  readonly folderOf: (name: string) => Layout | undefined
}

const DIGEST = /^[0-9a-f]{64}$/
const SIZE = /^(?:0|[1-9]\d{0,15})$/
const ANCHOR = /^[^.].*\.(?:pem|crl)$/

const MOST = 1000
/** A checkpoint an hour for longer than anybody evaluates. */
const MOST_CHECKPOINTS = 1_000_000

const layout = (
  isFile: Layout['isFile'],
  folderOf: Layout['folderOf'] = () => undefined,
  most = MOST,
): Layout => ({ isFile, folderOf, most })
const matching = (pattern: RegExp) => (name: string) => pattern.test(name)
const none = () => false
const isToken = (name: string) =>
  name.endsWith(TOKEN_SUFFIX) && isAuthorityName(name.slice(0, -TOKEN_SUFFIX.length))
/** Folders by name, each holding tokens. */
const tokensBy = (pattern: RegExp, most = MOST) => {
  const tokens = layout(isToken)
  return layout(none, (name) => (pattern.test(name) ? tokens : undefined), most)
}
const named = (folders: Readonly<Record<string, Layout>>) => (name: string) =>
  Object.hasOwn(folders, name) ? folders[name] : undefined

const LOG_LAYOUT = layout(
  (name) => name === 'entries.ndjson',
  named({
    checkpoints: layout(matching(SIZE), undefined, MOST_CHECKPOINTS),
    stamps: tokensBy(SIZE, MOST_CHECKPOINTS),
  }),
)
const PROOF = layout(
  none,
  named({ anchors: layout(matching(ANCHOR)), stamps: tokensBy(DIGEST), log: LOG_LAYOUT }),
)
const OWN: ReadonlySet<string> = new Set(Object.values(FILES))

/**
 * Whether a folder holds files only, and which of them `score` did not write. What lies beside the
 * files of a run takes part in nothing; but a person may take it for a part of the evidence.
 * @returns an error for what is no regular file; a warning for files of other names.
 */
export function entryFindings(folder: string): Finding[] {
  const { odd, others } = look(folder)
  if (odd.length > 0) return odd
  return others.length === 0 ? [] : [foreign(folder, others.sort())]
}

/** The paths of the files that `score` writes, below the folder, in the order of their code units. */
export const ownFiles = (folder: string): string[] => look(folder).own.sort()

function look(folder: string): Look {
  const found = new Look(folder)
  const root = layout((name) => OWN.has(name), named({ [TIME]: PROOF }))
  found.into('', root)
  return found
}

/** A walk through the folders of the evidence, and no others. */
class Look {
  readonly odd: Finding[] = []
  readonly own: string[] = []
  readonly others: string[] = []

  constructor(private readonly folder: string) {}

  /** @param path - below the evidence folder, with a slash at its end; empty for that folder itself. */
  into(path: string, { most, isFile, folderOf }: Layout): void {
    for (const entry of entriesOf(join(this.folder, path), most)) {
      const name = path + entry.name
      const inner = entry.isDirectory() ? folderOf(entry.name) : undefined
      const kind = otherKind(entry)
      if (inner !== undefined) this.into(`${name}/`, inner)
      else if (kind !== undefined) this.odd.push(notAFile(this.folder, name, kind))
      else (isFile(entry.name) ? this.own : this.others).push(name)
    }
  }
}

function entriesOf(folder: string, most: number): Dirent[] {
  const entries: Dirent[] = []
  try {
    const opened = opendirSync(folder)
    try {
      while (entries.length < most) {
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

/** What was not written by the run that wrote the folder. */
export const foreign = (folder: string, names: readonly string[]): Finding =>
  finding('evidence-foreign-files', { names, count: names.length }, { file: folder })

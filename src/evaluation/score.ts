import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { gzipWriter } from '../files/gzip.js'
import { assertNewFolder, StagedFolder } from '../files/new-folder.js'
import type { ResultEntry } from '../protocol/rules/entry.js'
import type { TimeLevel } from '../time/level.js'
import { type CheckOptions, check } from './check.js'
import { type EnteredReading, enterReading } from './enter-reading.js'
import { FILES } from './evidence/folder.js'
import { type DecidedReading, type WriteOptions, writeEvidence } from './evidence/write.js'
import { type Broken, catchBroken } from './links.js'
import type { Inputs } from './open.js'
import type { Result } from './result/result.js'
import { decide, infer, sumSeries } from './steps.js'

export interface ScoreOptions extends CheckOptions, WriteOptions {}

export type ScoreResult =
  | Broken
  | {
      readonly ok: true
      readonly folder: string
      readonly access: string
      /** That of the result in the ledger. */
      readonly entry: ResultEntry
      readonly result: Result
      /** Who vouches for the time of the registration. */
      readonly level: TimeLevel
      /** Warnings of stamps and of the log. */
      readonly findings: readonly Finding[]
    }

/**
 * Scores a registered evaluation once and writes its evidence folder, atomically. All reasons not to score are found
 * before any score is computed, so a refusal reveals none. The reading is recorded beside the ledger first, so that an
 * aborted run is known, too.
 *
 * @param inputs - of `openInputs`.
 * @throws {ForeproofError} `refused` if the folder exists or the record of readings does not verify; `not-found`, `io`,
 * `unavailable` if something cannot be read or written; `interrupted`.
 */
export async function scoreEvaluation(inputs: Inputs, options: ScoreOptions): Promise<ScoreResult> {
  assertNewFolder(options.out)
  return await catchBroken(async () => {
    const folder = new StagedFolder(options.out)
    try {
      const checked = await check(inputs, folder, options)
      const read = await enterReading(checked, options)
      const summed = await scoreSeries(read, folder)
      const inferred = await infer(summed)
      const decided = decide(inferred)
      return await write(decided, folder)
    } finally {
      folder.discard()
    }
  })
}

/** Scores a series at a time, and writes its pairs and cells. */
async function scoreSeries<Read extends EnteredReading>(read: Read, folder: StagedFolder) {
  const pairs = gzipWriter((bytes) => folder.append(FILES.pairs, bytes))
  const cells = (text: string) => folder.append(FILES.cells, text)
  const summed = await sumSeries(read, { pairs, cells })
  pairs()
  if (read.rows.digest().sha256 === read.read.sha256) return summed
  const { name } = read.inputs.history
  throw new ForeproofError('unavailable', `${name}: changed while it was read`, {
    file: name,
    help: 'Nothing was written. Run again while nothing writes to the history, or use a copy of it.',
  })
}

async function write(decided: DecidedReading, folder: StagedFolder): Promise<ScoreResult> {
  const { time, access, result, options, findings } = decided
  return {
    ok: true,
    folder: options.out,
    access,
    entry: await writeEvidence(decided, folder),
    result,
    level: time?.level ?? { kind: 'self_declared' },
    findings,
  }
}

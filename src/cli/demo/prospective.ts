import { join } from 'node:path'
import { EXIT, type ExitCode } from '../../contract/error.js'
import { checkedInstant, type Instant, MICROS_PER_MINUTE } from '../../contract/instant.js'
import { breathe } from '../../files/breathe.js'
import { makeFolderSync } from '../../files/make-folder.js'
import { runImport } from '../../history/import/import.js'
import { addCheckpoint } from '../../history/log/seal.js'
import type { DemoRun } from './run.js'
import { DEMO_AUTHORITY, demoSteps, PROSPECTIVE_LOG } from './steps.js'
import { prospectiveForecasts } from './synthetic-data.js'

/** When the forecasts of the late evaluation are committed: the last target has passed. */
const TOO_LATE = checkedInstant('2026-06-30T09:00:00Z')
/** From the second of two origins to the import and the checkpoint of both. */
const DELAY = 10 * MICROS_PER_MINUTE

/** The forecasts of two origins, one after the other, and when they are committed. */
interface Commitment {
  readonly at: Instant
  readonly lines: readonly string[]
}

/** Registered before the window; forecasts and a checkpoint every second hour; scored after it. */
export async function runInTime(demo: DemoRun, folder: string): Promise<ExitCode> {
  const [first, ...others] = await commitments()
  if (first === undefined) return EXIT.unable
  const before = await promise(demo, folder)
  if (before !== EXIT.holds) return before
  const shown = demoSteps('COMMIT', folder, demo.authority, first.at)
  const committed = await demo.steps(shown, first.lines)
  if (committed !== EXIT.holds) return committed
  demo.say()
  demo.say(`The same again every second hour, ${others.length} times; then the last target passes.`)
  for (const each of others) await commit(demo, join(folder, 'history.sqlite'), each)
  return await demo.steps(demoSteps('VERDICT', folder, demo.authority))
}

/** The same rules and the same forecasts, committed when their outcomes were known. */
export async function runTooLate(demo: DemoRun, folder: string): Promise<ExitCode> {
  const before = await promise(demo, folder)
  if (before !== EXIT.holds) return before
  const lines = (await commitments()).flatMap((each) => each.lines)
  const late = demoSteps('COMMIT', folder, demo.authority, TOO_LATE)
  return await demo.steps([...late, ...demoSteps('VERDICT', folder, demo.authority)], lines)
}

async function promise(demo: DemoRun, folder: string): Promise<ExitCode> {
  makeFolderSync(folder)
  demo.pin(folder, 'plan-prospective')
  return await demo.steps(demoSteps('PROMISE', folder, demo.authority))
}

async function commitments(): Promise<Commitment[]> {
  const origins = await prospectiveForecasts()
  return origins.flatMap(({ lines }, index) => {
    const second = origins[index + 1]
    if (index % 2 === 1 || second === undefined) return []
    return [{ at: second.origin + DELAY, lines: [lines, second.lines] }]
  })
}

/** What the two commands do that were shown, in one transaction, and without their words. */
async function commit(
  { signal, stamp }: DemoRun,
  history: string,
  { at, lines }: Commitment,
): Promise<void> {
  await breathe(signal)
  await runImport(history, { now: at }, async (run) => {
    for (const line of lines.join('').trimEnd().split('\n')) await run.add(JSON.parse(line))
    await run.logs(async (logs) => {
      const size = await logs.logSize()
      const note = await addCheckpoint(logs, PROSPECTIVE_LOG, size)
      const token = await stamp(Buffer.from(note), at)
      await logs.addCheckpointStamp(size, { authority: DEMO_AUTHORITY, token })
    })
  })
}

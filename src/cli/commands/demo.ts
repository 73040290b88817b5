import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { EXIT, type ExitCode, fileError } from '../../contract/error.js'
import {
  checkedInstant,
  formatUtc,
  type Instant,
  MICROS_PER_MINUTE,
} from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { writeFileAtomic } from '../../files/atomic.js'
import { makeFolderSync } from '../../files/new-folder.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { runImport } from '../../history/import/import.js'
import { checkpointNote } from '../../history/seal.js'
import { readAnchors } from '../../time/rfc3161/anchors.js'
import { encodeQuery } from '../../time/rfc3161/structures.js'
import { newNonce } from '../../time/stamp-entry.js'
import { type Context, command } from '../command.js'
import { createAuthority, serveAuthority } from '../demo/authority.js'
import {
  type DemoPlan,
  demoPlan,
  freshDemoFolder,
  prospectiveForecasts,
  shippedProtocols,
  writeSyntheticData,
} from '../demo/synthetic-data.js'
import { textOr } from '../options.js'
import { verifyPage } from '../page-file.js'
import { interruptible } from '../work.js'

async function run(
  { out }: { out: string },
  context: Context,
  signal: AbortSignal,
): Promise<ExitCode> {
  freshDemoFolder(out)
  const demo = await startDemo(context, signal)
  try {
    await backtest(demo, out)
    await inTime(demo, join(out, 'prospective'))
    await tooLate(demo, join(out, 'prospective-late'))
  } catch (error) {
    if (error instanceof StepFailed) return error.exitCode
    throw error
  } finally {
    demo.close()
  }
  sayWhatToOpen(demo, out)
  return EXIT.holds
}

async function backtest(demo: DemoRun, out: string): Promise<void> {
  const { say } = demo
  say(`The report, once this has run: ${join(out, 'evaluation', 'report.html')}`)
  const { seed } = await writeSyntheticData(join(out, 'data'))
  say(`All data here are synthetic (seed "${seed}"): no market ever traded at these prices.`)
  copyProtocols(join(out, 'protocols'))
  demo.pin(out, 'plan')
  say('The time-stamp authority is made anew for each run, and answers on this machine alone: no')
  say('network is needed, its stamps differ from run to run, and they prove nothing to others.')
  say()
  say('1 of 3: a backtest. Its outcomes were known before it was registered, so nothing in it can')
  say('become eligible; but every step and every figure is shown.')
  await demo.steps(BACKTEST, out)
}

/** Registered before the window; forecasts and a checkpoint every hour; scored after it. */
async function inTime(demo: DemoRun, folder: string): Promise<void> {
  const { say } = demo
  say()
  say('2 of 3: a prospective evaluation. Rules, registration and every forecast are stamped before')
  say('their outcome. Four weeks pass in seconds: commands and authority go by a simulated clock.')
  await promise(demo, folder)
  const [first, ...others] = await commitments()
  await demo.steps(COMMIT, folder, first)
  say()
  say(`The same again every hour, ${others.length} times; then the last target passes.`)
  for (const each of others) await commit(demo, join(folder, 'history.sqlite'), each)
  await demo.steps(VERDICT, folder)
}

/** The same rules and forecasts, committed when their outcomes were known. */
async function tooLate(demo: DemoRun, folder: string): Promise<void> {
  const { say } = demo
  say()
  say(
    '3 of 3: the same rules and the same forecasts. They say of themselves that they were made in',
  )
  say('time, but their history was sealed when the outcomes were known: nothing bears them out.')
  await promise(demo, folder)
  const lines = (await commitments()).flatMap((each) => each.lines)
  await demo.steps(COMMIT, folder, { at: TOO_LATE, lines })
  await demo.steps(VERDICT, folder)
}

function sayWhatToOpen({ say }: DemoRun, out: string): void {
  const report = (folder: string) => join(out, folder, 'evaluation', 'report.html')
  const page = join(out, 'verify.html')
  writeFileAtomic(page, verifyPage())
  say()
  say(
    'Eligible for human review means: by rules fixed before the outcomes were known, the model was',
  )
  say('better than every required comparator. People may look at it now; nothing else follows.')
  say()
  say('Look at:')
  say(`  ${report('prospective')}   eligible: every forecast was committed in time`)
  say(`  ${report('prospective-late')}   blocked: the same forecasts, committed too late`)
  say(`  ${report('')}   the backtest: figures of three models, none eligible`)
  say(`  ${page}   for readers without foreproof: open it in a browser and drop`)
  say(`    the folder ${out} on it; it recomputes a verdict there, without any network`)
  say(`  ${join(out, 'attempts.ndjson')}   every attempt of the backtest and its status`)
  // A browser reads no data from local files.
  say('  http://127.0.0.1:8000/   the published forecasts, as long as this runs:')
  say(`    cd "${join(out, 'site')}" && python3 -m http.server --bind 127.0.0.1 8000`)
}

function copyProtocols(folder: string): void {
  try {
    cpSync(shippedProtocols(), folder, { recursive: true })
  } catch (cause) {
    throw fileError(cause, folder)
  }
}

export default command({
  examples: { 'foreproof demo': 'Write everything into demo-out/' },
  options: {
    out: textOr('demo-out', 'Folder to write; one of an earlier demo is replaced'),
  },
  run: (args, context) =>
    interruptible(`${args.out} is incomplete; the next demo replaces it.`, (signal) =>
      run(args, context, signal),
    ),
})

/** The name of the demo's authority. */
const DEMO_AUTHORITY = 'demo-authority'
const LOG = 'demo.example/forecasts'
/** The log that the registration of the prospective evaluations names. */
const PROSPECTIVE_LOG = 'demo.example/promise'

/**
 * A word of a line that begins with `@` is a path in the folder of the evaluation; TSA is the address of the authority.
 */
type Line = readonly [says: string, line: string, at?: string]

/** The backtest, in order. */
const BACKTEST: readonly Line[] = [
  ['Is the protocol what was frozen?', 'verify @protocols/btcusd-hourly-3.json'],
  [
    'Forecasts, failures and abstentions into a history',
    'history import @data/forecasts.ndjson --history @history.sqlite',
  ],
  [
    'A stamped checkpoint of the log: from now on no row can be changed unnoticed',
    `history seal --history @history.sqlite --log ${LOG} --tsa TSA --anchors @protocols/anchors`,
  ],
  [
    'Hourly closes into a vintage',
    'outcomes import @data/closes.csv --source made-exchange --out @vintage',
  ],
  [
    'Every expected attempt ends in one of five statuses',
    'pair --protocol @protocols/btcusd-hourly-3.json --history @history.sqlite --outcomes @vintage --out @attempts.ndjson',
  ],
  [
    'The evaluation and every test in it, by name, before anything is scored; stamped by an authority',
    'register @plan.json --protocol @protocols/btcusd-hourly-3.json --outcomes @vintage --out @registration.json --stamp TSA',
  ],
  ['Who vouches for the time of each ledger entry?', 'verify @protocols/ledger.jsonl'],
  [
    'Score it, once',
    'score --registration @registration.json --protocol @protocols/btcusd-hourly-3.json --history @history.sqlite --outcomes @vintage --out @evaluation',
  ],
  ['Recompute it all from the inputs, as a sceptic would', 'audit @evaluation'],
  [
    'Publish the history as a static site, its log beside it',
    'publish --history @history.sqlite --out @site',
  ],
]

/** Before the window of a prospective evaluation. */
const PROMISE: readonly Line[] = [
  [
    'Freeze the rules, a week before',
    'freeze @../protocols/btcusd-hourly-3.json --dir @protocols',
    '2026-05-25T09:00:00Z',
  ],
  [
    'Register every test by name, half a day before the first origin; an authority stamps it',
    'register @plan.json --protocol @protocols/btcusd-hourly-3.json --out @registration.json --stamp TSA',
    '2026-05-31T12:00:00Z',
  ],
]

/** Imports forecasts into the history and seals them under a stamped checkpoint. */
const COMMIT: readonly Line[] = [
  ['What the model forecasts, into the history', 'history import - --history @history.sqlite'],
  [
    'A stamped checkpoint over them',
    `history seal --history @history.sqlite --log ${PROSPECTIVE_LOG} --tsa TSA --anchors @protocols/anchors`,
  ],
]

/** After the last target. */
const VERDICT: readonly Line[] = [
  [
    'The outcomes are known now: score it, once',
    'score --registration @registration.json --protocol @protocols/btcusd-hourly-3.json --history @history.sqlite --outcomes @../vintage --out @evaluation',
    '2026-06-30T12:00:00Z',
  ],
]

/** A failed step ends the demo, with its exit code. */
class StepFailed extends Error {
  constructor(readonly exitCode: ExitCode) {
    super('a step does not hold')
  }
}

/** The shared parts of the demo's evaluations: a clock, and an authority that stamps by it. */
type DemoRun = Awaited<ReturnType<typeof startDemo>>

async function startDemo(context: Context, signal: AbortSignal) {
  const say = (text = '') => context.stdout.write(`${printable(text)}\n`)
  let simulated: Instant | undefined
  const now = () => simulated ?? context.now()
  const made = await createAuthority({ name: DEMO_AUTHORITY, now })
  const { url, close } = await serveAuthority(made)
  return {
    signal,
    say,
    close,
    /** Puts the authority's anchor where users put a trusted one, with a plan that names it. */
    pin: (folder: string, plan: DemoPlan) => pin(folder, plan, made.anchorPem),
    /**
     * Runs lines in order, in a folder.
     * @param input the standard input of lines without a time of their own, and its time.
     * @throws {StepFailed} at the first line that fails.
     */
    steps: async (lines: readonly Line[], folder: string, input?: Commitment) => {
      const word = (text: string) => {
        if (text === 'TSA') return url
        return text.startsWith('@') ? join(folder, text.slice(1)) : text
      }
      for (const [says, line, fixed] of lines) {
        simulated = fixed === undefined ? input?.at : checkedInstant(fixed)
        const argv = line.split(' ').map(word)
        say()
        say(`# ${simulated === undefined ? '' : `${formatUtc(simulated)}, simulated: `}${says}`)
        say(`$ foreproof ${argv.join(' ')}`)
        await yieldToEventLoop(signal)
        const stdin = Readable.from(input?.lines ?? [])
        const code = await context.dispatch(argv, { now, stdin })
        if (code !== EXIT.holds) throw new StepFailed(code)
      }
    },
    /** The authority's answer at a simulated time, without a network request. */
    stamp: (body: Uint8Array, at: Instant) => {
      simulated = at
      return made.reply(encodeQuery(body, newNonce()))
    },
  }
}

function pin(out: string, plan: DemoPlan, anchorPem: string): void {
  const folder = join(out, 'protocols', 'anchors')
  makeFolderSync(folder)
  writeFileAtomic(join(folder, `${DEMO_AUTHORITY}.pem`), anchorPem)
  const authorities = readAnchors(folder).map(({ name, sha256 }) => ({
    name,
    anchor_sha256: sha256,
  }))
  const time = { at_least: 1, authorities }
  const text = JSON.stringify({ ...demoPlan(plan), time }, null, 2)
  writeFileAtomic(join(out, 'plan.json'), `${text}\n`)
}

/** When the forecasts of the late evaluation are committed, after the last target. */
const TOO_LATE = checkedInstant('2026-06-30T09:00:00Z')
/** The time from an origin to the import and checkpoint of its forecasts, which are made ten seconds earlier. */
const DELAY = 1.75 * MICROS_PER_MINUTE

/** The forecasts of an origin, and when they are committed. */
interface Commitment {
  readonly at: Instant
  readonly lines: readonly string[]
}

/** Rules and registration, before the window. */
async function promise(demo: DemoRun, folder: string): Promise<void> {
  makeFolderSync(folder)
  demo.pin(folder, 'plan-prospective')
  await demo.steps(PROMISE, folder)
}

async function commitments(): Promise<Commitment[]> {
  const origins = await prospectiveForecasts()
  return origins.map(({ origin, lines }) => ({ at: origin + DELAY, lines: [lines] }))
}

/** Does the same as the two commands shown before, in one transaction and without output. */
async function commit(
  { signal, stamp }: DemoRun,
  history: string,
  { at, lines }: Commitment,
): Promise<void> {
  await yieldToEventLoop(signal)
  await runImport(history, { now: at }, async (run) => {
    for (const line of lines.join('').trimEnd().split('\n')) await run.add(JSON.parse(line))
    await run.logs(async (logs) => {
      const size = await logs.logSize()
      const note = await checkpointNote(logs, PROSPECTIVE_LOG, size)
      await logs.addCheckpoint(size, note)
      const token = await stamp(Buffer.from(note), at)
      await logs.addCheckpointStamp(size, { authority: DEMO_AUTHORITY, token })
    })
  })
}

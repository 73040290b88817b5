import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { EXIT, type ExitCode } from '../../contract/error.js'
import {
  checkedInstant,
  formatUtc,
  type Instant,
  MICROS_PER_MINUTE,
} from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { writeFileAtomic } from '../../files/atomic.js'
import { createFolderSync } from '../../files/new-folder.js'
import { yieldToEventLoop } from '../../files/waiting.js'
import { runImport } from '../../history/import/import.js'
import { checkpointNote } from '../../history/seal.js'
import { encodeQuery } from '../../time/rfc3161/structures.js'
import { newNonce } from '../../time/stamp-entry.js'
import { type Context, command } from '../command.js'
import { createAuthority, serveAuthority } from '../demo/authority.js'
import {
  type DemoPlan,
  freshDemoFolder,
  prospectiveForecasts,
  readDemoPlan,
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
    await prepare(demo, out)
    await inTime(demo, out)
    await backtest(demo, out)
    await showRecord(demo, out)
  } catch (error) {
    if (error instanceof StepFailed) return error.exitCode
    throw error
  } finally {
    demo.close()
  }
  printWhatToOpen(demo, out)
  return EXIT.holds
}

/** Data, authority and rules: everything that is the same for all evaluations. */
async function prepare(demo: DemoRun, out: string): Promise<void> {
  const { say } = demo
  say(`The report, once this has run: ${join(out, 'prospective', 'evaluation', 'report.html')}`)
  const { seed } = await writeSyntheticData(join(out, 'data'))
  say(`All data here are synthetic (seed "${seed}"): no market ever traded at these prices.`)
  demo.pin(out)
  say('The time-stamp authority is made anew for each run, and answers on this machine alone: no')
  say('network is needed, its stamps differ from run to run, and they prove nothing to others.')
  say('A summer passes in seconds: commands and authority go by a simulated clock.')
  await demo.steps(PREPARE, out)
}

/**
 * Three evaluations of the same window: one whose forecasts are stamped every hour, one whose same forecasts are
 * committed when the outcomes are known, and one that is abandoned.
 */
async function inTime(demo: DemoRun, out: string): Promise<void> {
  const { say } = demo
  const [prospective, late] = [join(out, 'prospective'), join(out, 'prospective-late')]
  say()
  say('1 of 3: prospective evaluations. Rules, registration and every forecast are stamped before')
  say('their outcome. Another registration is the same but for its name, and one is abandoned.')
  demo.plan(prospective, 'plan-prospective', {})
  demo.plan(late, 'plan-prospective', { name: 'Demo: the same forecasts, committed too late' })
  demo.plan(join(out, 'abandoned'), 'plan-prospective', ABANDONED)
  await demo.steps(REGISTER, out)
  const [first, ...others] = await commitments()
  await demo.steps(COMMIT, prospective, first)
  say()
  say(`The same again every hour, ${others.length} times; then the last target passes.`)
  const [before, after] = [
    others.filter(isBeforeClosing),
    others.filter((of) => !isBeforeClosing(of)),
  ]
  for (const each of before) await commit(demo, join(prospective, 'history.sqlite'), each)
  await demo.steps(CLOSE, out)
  for (const each of after) await commit(demo, join(prospective, 'history.sqlite'), each)
  await demo.steps(VERDICT, prospective)
  say()
  say('2 of 3: the same forecasts under the second registration. Each forecast claims that it was')
  say('made in time. But its history was sealed only after the outcomes were known, so nothing')
  say('confirms the claim.')
  const lines = (await commitments()).flatMap((each) => each.lines)
  await demo.steps(COMMIT, late, { at: TOO_LATE, lines })
  await demo.steps(VERDICT, late)
  demo.plan(join(out, 'running'), 'plan-prospective', RUNNING)
  await demo.steps(REGISTER_RUNNING, out)
}

async function backtest(demo: DemoRun, out: string): Promise<void> {
  const { say } = demo
  say()
  say('3 of 3: a backtest. Its outcomes were known before it was registered, so nothing in it can')
  say('become eligible; but every step and every figure is shown.')
  demo.plan(out, 'plan', {})
  await demo.steps(BACKTEST, out)
}

async function showRecord({ say, steps }: DemoRun, out: string): Promise<void> {
  say()
  say('Now all of it on one page: what was registered, how it ended, and what chance would give.')
  await steps(RECORD, out)
}

function printWhatToOpen({ say }: DemoRun, out: string): void {
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
  say(`  ${join(out, 'record', 'index.html')}   the record: all five registrations and their ends`)
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
 * A word of a line that begins with `@` is a path in the folder of the evaluation, one that begins with SHIPPED is a
 * shipped protocol; TSA is the address of the authority. Quotes hold words together.
 */
type Line = readonly [says: string, line: string, at?: string]

/** Before everything else. */
const PREPARE: readonly Line[] = [
  [
    'Freeze the rules, a week before the first window',
    'freeze SHIPPED/btcusd-hourly-4.json --dir @protocols',
    '2026-05-25T09:00:00Z',
  ],
  [
    'Is the protocol what was frozen?',
    'verify @protocols/btcusd-hourly-4.json',
    '2026-05-25T09:00:00Z',
  ],
  [
    'Hourly closes into a vintage; none counts before its time',
    'outcomes import @data/closes.csv --source made-exchange --out @vintage',
  ],
]

/** Registers the plan of a folder, stamped. */
const register = (heading: string, folder: string, at: string): Line => [
  heading,
  `register @${folder}/plan.json --protocol @protocols/btcusd-hourly-4.json --out @${folder}/registration.json --stamp TSA`,
  at,
]

/** Before the window. */
const REGISTER: readonly Line[] = [
  register(
    'Register every test by name, half a day before the first origin; an authority stamps it',
    'prospective',
    '2026-05-31T12:00:00Z',
  ),
  register('The same again, by another name', 'prospective-late', '2026-05-31T12:10:00Z'),
  register('And another model', 'abandoned', '2026-05-31T12:20:00Z'),
]

/** A model that is given up within its window, and when. */
const ABANDONED = { name: 'Demo: a model that was given up', candidates: ['second_thought'] }
const CLOSED_AT = checkedInstant('2026-06-10T09:00:00Z')
const CLOSE: readonly Line[] = [
  [
    'The other model is given up: that is entered with its reason, and stamped',
    'close @abandoned/registration.json --as abandoned --reason "The model was given up."',
    '2026-06-10T09:00:00Z',
  ],
  ['So others show when', 'stamp --dir @protocols --tsa TSA', '2026-06-10T09:01:00Z'],
]

/** A window that goes on. */
const RUNNING = {
  name: 'Demo: the next year',
  window: { from: '2026-07-01T00:00:00Z', to: '2027-06-30T23:00:00Z' },
}
const REGISTER_RUNNING: readonly Line[] = [
  register('The next window of the model, which still goes on', 'running', '2026-06-30T13:00:00Z'),
]

/** Imports forecasts into the history and seals them under a stamped checkpoint. */
const COMMIT: readonly Line[] = [
  ['What the model forecasts, into the history', 'history import - --history @history.sqlite'],
  [
    'A stamped checkpoint over them',
    `history seal --history @history.sqlite --log ${PROSPECTIVE_LOG} --tsa TSA --anchors @../protocols/anchors`,
  ],
]

/** After the last target. */
const VERDICT: readonly Line[] = [
  [
    'The outcomes are known now: score it, once',
    'score --registration @registration.json --protocol @../protocols/btcusd-hourly-4.json --history @history.sqlite --outcomes @../vintage --out @evaluation',
    '2026-06-30T12:00:00Z',
  ],
]

const AFTER_ALL = '2026-09-01T09:00:00Z'

/** The backtest, in order. */
const BACKTEST: readonly Line[] = (
  [
    [
      'Forecasts, failures and abstentions into a history',
      'history import @data/forecasts.ndjson --history @history.sqlite',
    ],
    [
      'A stamped checkpoint of the log: from now on no row can be changed unnoticed',
      `history seal --history @history.sqlite --log ${LOG} --tsa TSA --anchors @protocols/anchors`,
    ],
    [
      'Every expected attempt ends in one of five statuses',
      'pair --protocol @protocols/btcusd-hourly-4.json --history @history.sqlite --outcomes @vintage --out @attempts.ndjson',
    ],
    [
      'The evaluation and every test in it, by name, before anything is scored; stamped by an authority',
      'register @plan.json --protocol @protocols/btcusd-hourly-4.json --outcomes @vintage --out @registration.json --stamp TSA',
    ],
    ['Who vouches for the time of each ledger entry?', 'verify @protocols/ledger.jsonl'],
    [
      'Score it, once',
      'score --registration @registration.json --protocol @protocols/btcusd-hourly-4.json --history @history.sqlite --outcomes @vintage --out @evaluation',
    ],
    ['Recompute it all from the inputs, as a sceptic would', 'audit @evaluation'],
    [
      'Publish the history as a static site, its log beside it',
      'publish --history @history.sqlite --out @site',
    ],
  ] as const
).map(([says, line]) => [says, line, AFTER_ALL])

/** At the end. */
const RECORD: readonly Line[] = (
  [
    ['The last entry is stamped', 'stamp --dir @protocols --tsa TSA'],
    [
      'Everything that was ever registered, on one page',
      'record --protocols @protocols --evidence @evaluation --evidence @prospective/evaluation --evidence @prospective-late/evaluation --out @record',
    ],
    ['Does the page follow from the folder?', 'record check @record'],
  ] as const
).map(([says, line]) => [says, line, '2026-09-01T10:00:00Z'])

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
    /** Puts the authority's anchor where users put a trusted one. */
    pin: (out: string) => pin(out, made.anchorPem),
    /** Writes a plan into a folder, with changes, that names the authority. */
    plan: (folder: string, plan: DemoPlan, changes: object) =>
      writePlan(folder, { ...readDemoPlan(plan), ...changes }, made.anchorPem),
    /**
     * Runs lines in order, in a folder.
     * @param input the standard input of lines without a time of their own, and its time.
     * @throws {StepFailed} at the first line that fails.
     */
    steps: async (lines: readonly Line[], folder: string, input?: Commitment) => {
      const word = (text: string) => {
        if (text === 'TSA') return url
        if (text.startsWith('SHIPPED')) return join(shippedProtocols(), text.slice(7))
        if (text.startsWith('"')) return text.slice(1, -1)
        return text.startsWith('@') ? join(folder, text.slice(1)) : text
      }
      for (const [says, line, fixed] of lines) {
        simulated = fixed === undefined ? input?.at : checkedInstant(fixed)
        const argv = (line.match(/"[^"]*"|\S+/g) ?? []).map(word)
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

function pin(out: string, anchorPem: string): void {
  const folder = join(out, 'protocols', 'anchors')
  createFolderSync(folder)
  writeFileAtomic(join(folder, `${DEMO_AUTHORITY}.pem`), anchorPem)
}

function writePlan(folder: string, plan: object, anchorPem: string): void {
  createFolderSync(folder)
  const { fingerprint256 } = new X509Certificate(anchorPem)
  const anchor_sha256 = fingerprint256.replaceAll(':', '').toLowerCase()
  const time = { at_least: 1, authorities: [{ name: DEMO_AUTHORITY, anchor_sha256 }] }
  writeFileAtomic(join(folder, 'plan.json'), `${JSON.stringify({ ...plan, time }, null, 2)}\n`)
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

const isBeforeClosing = ({ at }: Commitment): boolean => at < CLOSED_AT

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

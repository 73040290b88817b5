// How often an evaluation rejects something although nothing is there to be found:
//   node bench/null-calibration.mjs --closes closes.csv
// prints the tables of docs/reference/measured-errors.md, the same each time. Needs `npm run build`. The closes are a
// vintage's (`close_at,close_usd`, hourly, without gaps); without them the made market alone is
// done. Options:
//   --evaluations N   of each line by the cosine test (1000; of verdicts, 4000 are in the docs); the bootstrap has fewer
//   --only TEXT       only the lines whose name holds the text: `made/days/60/ewc-t`
//   --counts          the counts, a line of JSON each
//   --shard I/N       counts of every Nth evaluation from the Ith on (from 1)
//   --merge FILES     the table of counts that shards printed
//   --threads N       threads (as many as there are processors)
//   --smoke           one evaluation of one line
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { parseNormalForm } from '../dist/truth/closes/close-series.js'
import { GAPS } from './parts/left-out.mjs'
import { evaluateNull } from './parts/null-evaluation.mjs'
import { evaluateNullBeside, evaluateNullVerdict } from './parts/null-verdict.mjs'

const SELF = new URL(import.meta.url)
const METHODS = ['ewc-t', 'percentile-bootstrap']
/** Evaluations by the bootstrap, which is there to show the difference. */
const BOOTSTRAP_EVALUATIONS = { 20: 200, 60: 100, 180: 50 }
const KINDS = ['any', 'deciding', 'alone']
const VERDICT_KINDS = GAPS.flatMap((gaps) => [`eligible ${gaps}`, `negative ${gaps}`])
const BESIDE_KINDS = ['flagged', 'hln', 'band', 'wrong', 'unflagged']
const kindsOf = ({ method }) => ({ verdict: VERDICT_KINDS, beside: BESIDE_KINDS })[method] ?? KINDS

/** What the rows of the table are about. */
const DESIGNS = ['made', 'real'].flatMap((market) =>
  ['hours', 'days', 'week'].flatMap((memory) =>
    [20, 60, 180].map((blocks) => ({ market, memory, blocks })),
  ),
)
/** The bootstrap has one memory, for want of time. */
const LINES = DESIGNS.flatMap((design) =>
  METHODS.filter((method) => method === 'ewc-t' || design.memory === 'days').map((method) => ({
    ...design,
    method,
  })),
)

/** What the rows of the table of verdicts are about: what errors and widths remember, or regimes of skill. */
const VERDICTS = [
  'hours',
  'days',
  'week',
  'two weeks',
  'regimes of 10 days',
  'regimes of 30 days',
  'yearly cycle',
].flatMap((memory) =>
  [20, 60, 180].flatMap((blocks) =>
    [1, 3].map((candidates) => ({ market: 'made', memory, blocks, candidates, method: 'verdict' })),
  ),
)

/** Candidates that are better, but for one horizon: there a limit is just reached, and none may be found eligible. */
const AT_LIMIT = [60, 180].flatMap((blocks) =>
  [1, 3, 10].map((candidates) => ({
    ...{ market: 'made', memory: 'days, a limit reached', blocks, candidates, method: 'verdict' },
  })),
)

/** The newest close some hours later, which is charged these: no skill, and a lower loss. */
const COPIES = [
  'copy an hour late',
  ...['copy 6 hours late', 'copy 12 hours late'].flatMap((copy) => [
    `${copy}, normal`,
    `${copy}, t4`,
  ]),
].flatMap((memory) =>
  [20, 60].map((blocks) => ({ market: 'made', memory, blocks, candidates: 1, method: 'verdict' })),
)

/** What is shown beside the tests, for one candidate, in windows where memory can be seen. */
const BESIDE = [...new Set(VERDICTS.map(({ memory }) => memory))].flatMap((memory) =>
  [60, 180].map((blocks) => ({ market: 'made', memory, blocks, method: 'beside' })),
)
const ALL_LINES = [...LINES, ...VERDICTS, ...AT_LIMIT, ...COPIES, ...BESIDE]

const nameOf = ({ market, memory, blocks, method, candidates }) =>
  [market, memory, blocks, method, ...(candidates ? [candidates] : [])].join('/')

/** Wilson's 95 % interval of a binomial share. */
export function wilson(hits, trials) {
  const z = 1.959963984540054
  const share = hits / trials
  const middle = (share + (z * z) / (2 * trials)) / (1 + (z * z) / trials)
  const half =
    (z / (1 + (z * z) / trials)) *
    Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

const EVALUATIONS = {
  'ewc-t': evaluateNull,
  'percentile-bootstrap': evaluateNull,
  verdict: evaluateNullVerdict,
  beside: evaluateNullBeside,
}

/** Counts over the given evaluations of what was wrongly found. */
export async function countNull(line, evaluations, real) {
  const kinds = kindsOf(line)
  const counts = { evaluations: 0, ...Object.fromEntries(kinds.map((kind) => [kind, 0])) }
  for (const evaluation of evaluations) {
    const found = await EVALUATIONS[line.method](line, evaluation, real)
    counts.evaluations++
    for (const kind of kinds) counts[kind] += Number(found[kind])
  }
  return counts
}

/** The rows of the table of docs/reference/measured-errors.md: a design each, its methods side by side. */
export function tableRows(lines) {
  return DESIGNS.flatMap(({ market, memory, blocks }) => {
    const cells = METHODS.flatMap((method) => {
      const line = lines.find((one) => nameOf(one) === nameOf({ market, memory, blocks, method }))
      return line === undefined
        ? ['–', ...KINDS.map(() => '–')]
        : [line.evaluations, ...KINDS.map((kind) => share(line, kind))]
    })
    const empty = cells.every((cell) => cell === '–')
    return empty ? [] : [`| ${[market, memory, blocks, ...cells].join(' | ')} |`]
  })
}

/** The rows of the tables of verdicts, and of what is beside them. */
export function verdictRows(lines) {
  return lines.map((line) => {
    const { memory, blocks, candidates = [], evaluations } = line
    // Of what is left out the shares alone: eight intervals are no table.
    const isShort = (kind) => kind.includes('%')
    const shares = kindsOf(line).map((kind) => share(line, kind, isShort(kind)))
    return `| ${[memory, blocks, candidates, evaluations, shares].flat().join(' | ')} |`
  })
}

function printTables(lines) {
  const verdicts = lines.filter(({ method }) => method === 'verdict' || method === 'beside')
  for (const row of [...tableRows(lines), ...verdictRows(verdicts)]) console.log(row)
}

function share(line, kind, isShort = false) {
  const percent = (x) => (100 * x).toFixed(1)
  if (isShort) return percent(line[kind] / line.evaluations)
  const [low, high] = wilson(line[kind], line.evaluations)
  return `${percent(line[kind] / line.evaluations)} (${percent(low)} to ${percent(high)})`
}

/** First, first + step, … below the end. */
function* every(first, step, end) {
  for (let evaluation = first; evaluation < end; evaluation += step) yield evaluation
}

function merged(parts) {
  return ALL_LINES.flatMap((line) => {
    const own = parts.filter((part) => nameOf(part) === nameOf(line))
    const sum = (kind) => own.reduce((total, part) => total + part[kind], 0)
    const counts = ['evaluations', ...kindsOf(line)].map((kind) => [kind, sum(kind)])
    return own.length === 0 ? [] : [{ ...line, ...Object.fromEntries(counts) }]
  })
}

/** One line, its evaluations dealt out to threads. */
async function countInThreads(line, evaluations, { shard, shards, threads, closes }) {
  const parts = Array.from({ length: threads }, (_, thread) => {
    const first = shard - 1 + shards * thread
    const workerData = { line, closes, first, step: shards * threads, evaluations }
    return new Promise((resolve, reject) => {
      new Worker(SELF, { workerData }).once('message', resolve).once('error', reject)
    })
  })
  return merged((await Promise.all(parts)).map((counts) => ({ ...line, ...counts })))[0]
}

function realCloses(file) {
  if (file === undefined) return undefined
  const { first, closes } = parseNormalForm(readFileSync(file, 'utf8'), file)
  if (closes.some(Number.isNaN)) throw new Error(`${file} has gaps`)
  return { first, values: closes }
}

async function main() {
  const text = { type: 'string' }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ closes: text, only: text, merge: { type: 'boolean' }, counts: { type: 'boolean' } },
      evaluations: { ...text, default: '1000' },
      shard: { ...text, default: '1/1' },
      threads: { ...text, default: String(availableParallelism()) },
      smoke: { type: 'boolean' },
    },
  })
  if (values.smoke) Object.assign(values, { only: 'made/days/20/ewc-t', evaluations: '1' })
  if (values.merge) {
    const parts = positionals.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    printTables(merged(parts.map((part) => JSON.parse(part))))
    return
  }
  const [shard, shards] = values.shard.split('/').map(Number)
  const options = { shard, shards, threads: Number(values.threads), closes: values.closes }
  const done = []
  for (const line of ALL_LINES) {
    if (line.market === 'real' && values.closes === undefined) continue
    if (!nameOf(line).includes(values.only ?? '')) continue
    const evaluations =
      line.method === 'percentile-bootstrap'
        ? BOOTSTRAP_EVALUATIONS[line.blocks]
        : Number(values.evaluations)
    done.push(await countInThreads(line, evaluations, options))
    if (values.counts || shards > 1) console.log(JSON.stringify(done.at(-1)))
  }
  if (!values.counts && shards === 1) printTables(done)
}

if (!isMainThread && workerData?.line !== undefined) {
  const { line, closes, first, step, evaluations } = workerData
  parentPort.postMessage(await countNull(line, every(first, step, evaluations), realCloses(closes)))
} else if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main()
}

// What keeps the house small and in order. Prints its volume, and fails with each place that
//   - imports against the order of rooms, which is that of the table in docs/internals/architecture.md, or
//   - names a constant of protocols of version 1 where any series is meant, or
//   - asks for the version of a protocol outside of the rooms that have two layouts, or
//   - computes with what ECMAScript leaves to the engine, whose last bits are others in another one, or
//   - exports two things under one name: a search must find one, or
//   - exports two names that differ in case only, or
//   - is a commit whose subject does not keep the rule of CONTRIBUTING.md, or
//   - makes the house larger than its budget.
// Functions of more than 60 lines are found by biome (biome.json); the few that need them say why in place.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { globSync } from 'tinyglobby'

/** Lines of code in src/ without blanks, comments and what is generated; files of them; all lines of tests. */
const BUDGET = { lines: 75_400, files: 770, tests: 68_700 }

const IMPORTED = /(?:from|import\()\s*'(\.[^']+)'/g
const DECLARED = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
const NOT_CODE = /^\s*(?:\/\/|\*|\/\*|$)/
// The stores are two of one kind: what does the same job in both has one name, as the methods of their
// interface have. Nothing imports from both but what chooses between them.
// What takes the place of a module has its names.
const STAND_INS = /^src\/page\/stand-ins\//
const STORE = /^src\/.*\/(?:sqlite|postgres)\//
// The market of version 1, its hour and its four horizons, in rooms of any series.
const CONSTANTS = /usd|btc|MICROS_PER_HOUR|horizons?_?hours|\[2, 4, 8, 16\]/i
const ANY_SERIES = 'src/{periods,truth,pairing,inference,scoring,evaluation}/**/*.ts'
const OF_VERSION_1 = [
  // What compiles it into the one engine, with its baselines and tests.
  'truth/closes/*',
  ...['hourly-baselines', 'closes'].map((name) => `scoring/baselines/${name}`),
  ...['plan', 'models-alike'].map((name) => `evaluation/${name}`),
  'evaluation/proof/expected',
  // Its data formats.
  ...['commitments', 'committed-rows'].map((name) => `evaluation/proof/${name}`),
  ...['pairs-comparison', 'pairs-said', 'time-files'].map((name) => `evaluation/evidence/${name}`),
  // An hour of the clock, in any calendar.
  ...['periods/offset', 'periods/make'],
].map((name) => `src/${name}.ts`)

// Which version a document has is asked where documents are compiled, and where files, tables and addresses differ by
// it: everything else reads rules.
const VERSION = new RegExp(
  [
    /\bschema_version\b/,
    /\brules\.schema\b/,
    /\{[^{}]*\bschema\b[^{}]*\} = [\w.]*\brules\b/,
    /\b(?:protocol|registration|result)_version [!=]==/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
const MAY_ASK_VERSION = [
  ...['protocol', 'periods', 'truth', 'store'],
  // The API, and those who speak it.
  ...['service', 'site', 'mirror', 'remote', 'conformance'],
  // It has a version of its own.
  'exchange/hubverse',
].map((room) => `src/${room}/`)

// The rest of Math has last bits of the engine's own, and so have powers, but those of 2. Nothing that serves, draws
// in a browser or simulates ends up in a result.
const EXACT =
  'abs ceil clz32 floor fround imul max min random round sign sqrt trunc E LN2 LN10 LOG2E LOG10E PI SQRT1_2 SQRT2'
const INEXACT = RegExp(
  String.raw`\bMath\b(?!\.(?:${EXACT.replaceAll(' ', '|')})\b)|(?<!(?<![\w.])2|\b\d+n) \*\*=?(?: |$)`,
)
const MAY_BE_INEXACT = /^src\/(?:service|lint\/power|site\/page\/client)\//

const read = (file) => readFileSync(file, 'utf8')
const linesOf = (files) => files.flatMap((file) => read(file).split('\n').slice(0, -1))
const sources = globSync('src/**/*.ts', { ignore: '**/generated/**' }).sort()
const faults = []

const map = read('docs/internals/architecture.md').matchAll(
  /^\| `([\w-]+)\/`(?:, `index\.ts`)? \|/gm,
)
const rooms = [...map].map(([, room]) => room)
const rankOf = (file) =>
  rooms.indexOf(posix.dirname(file) === 'src' ? 'entries' : file.split('/')[1])
for (const file of sources) {
  if (rankOf(file) < 0)
    faults.push(`${file}: its room is missing in the table of docs/internals/architecture.md`)
  for (const [, to] of read(file).matchAll(IMPORTED)) {
    const target = posix.join(posix.dirname(file), to)
    if (target.startsWith('src/') && rankOf(target) <= rankOf(file)) continue
    faults.push(`${file}: imports ${to}, but a room imports only from rooms above it`)
  }
}

for (const file of globSync(ANY_SERIES, { ignore: ['**/generated/**', ...OF_VERSION_1] })) {
  for (const [at, line] of read(file).split('\n').entries()) {
    if (NOT_CODE.test(line) || !CONSTANTS.test(line)) continue
    faults.push(`${file}:${at + 1}: a constant of version 1 in a room of any series`)
  }
}

for (const file of sources.filter(
  (each) => !MAY_ASK_VERSION.some((room) => each.startsWith(room)),
)) {
  for (const [at, line] of read(file).split('\n').entries()) {
    if (NOT_CODE.test(line) || !VERSION.test(line)) continue
    faults.push(`${file}:${at + 1}: asks for a version; read the rules, or ask in src/protocol/`)
  }
}

for (const file of sources.filter((each) => !MAY_BE_INEXACT.test(each))) {
  for (const [at, line] of read(file).split('\n').entries()) {
    if (NOT_CODE.test(line) || !INEXACT.test(line)) continue
    const instead = 'take exp, ln and log10 of src/contract/logarithm.ts, and products for powers'
    faults.push(`${file}:${at + 1}: its last bits are the engine's own; ${instead}`)
  }
}

const declaring = new Map()
for (const file of sources.filter((each) => !STAND_INS.test(each))) {
  for (const [, name] of read(file).matchAll(DECLARED)) {
    declaring.set(name, new Set([...(declaring.get(name) ?? []), file]))
  }
}
for (const [name, files] of declaring) {
  const stores = new Set([...files].map((file) => STORE.exec(file)?.[0] ?? ''))
  const twins = stores.size === files.size && !stores.has('')
  if (files.size > 1 && !twins) faults.push(`${name}: exported by ${[...files].join(' and ')}`)
}

const byLowerCase = new Map()
for (const name of declaring.keys()) {
  const key = name.toLowerCase()
  byLowerCase.set(key, [...(byLowerCase.get(key) ?? []), name])
}
for (const names of byLowerCase.values()) {
  const files = names.flatMap((name) => [...declaring.get(name)])
  // `finding` makes a `Finding` and `command` a `Command`, at hundreds of places.
  if (names.length === 1 || names.includes('finding') || names.includes('command')) continue
  faults.push(`${names.join(' and ')} differ in case only: ${files.join(', ')}`)
}

/** Commits since the rule of CONTRIBUTING.md is checked; none where there is no git, or no history. */
function commits() {
  const args = ['log', '--no-merges', '--since=2026-11-29T15:30:00Z', '--format=%h%x00%B%x01']
  try {
    const log = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return log.split('\x01').slice(0, -1)
  } catch {
    return []
  }
}
for (const commit of commits()) {
  const [hash, message] = commit.trim().split('\0')
  const [subject, second = ''] = message.split('\n')
  if (subject.length > 72)
    faults.push(`${hash}: its subject has ${subject.length} characters, not 72 at most`)
  if (second !== '') faults.push(`${hash}: an empty line belongs between subject and body`)
}

const volume = {
  lines: linesOf(sources).filter((line) => !NOT_CODE.test(line)).length,
  files: sources.length,
  tests: linesOf(globSync('test/**/*.{ts,mts,mjs}', { ignore: '**/node_modules/**' })).length,
}
console.log(
  `src: ${volume.lines} lines of code in ${volume.files} files; tests: ${volume.tests} lines`,
)
for (const [what, most] of Object.entries(BUDGET)) {
  if (volume[what] > most)
    faults.push(`${what}: ${volume[what]} are more than ${most}, the budget of .ci/house.mjs`)
}

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1

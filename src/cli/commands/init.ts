import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { EXIT } from '../../contract/error.js'
import { VERSION } from '../../contract/generated/version.js'
import { type Instant, MICROS_PER_DAY } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { type JsonSchema, SCHEMAS } from '../../contract/schemas/index.js'
import type { Protocol, SeriesProtocol } from '../../contract/types.js'
import { createAll } from '../../files/new-folder.js'
import { type PeriodList, periodsText } from '../../periods/list.js'
import { dayPeriods } from '../../periods/make.js'
import { type Zone, zoneNamed } from '../../periods/zone.js'
import { protocolText } from '../../protocol/rules/check.js'
import { seriesPlanTemplate } from '../../registration/series-template.js'
import { planTemplate, templateText } from '../../registration/template.js'
import { command } from '../command.js'
import { shippedProtocols } from '../demo/synthetic-data.js'
import { flag, text } from '../options.js'
import { twoColumns } from '../wording.js'
import { uninterrupted } from '../work.js'

/** The steps to a frozen protocol, as in the README. */
const NEXT = ['lint draft.json', 'freeze draft.json', 'verify protocols']
/** The same with a list of periods. */
const NEXT_OF_SERIES = NEXT.map((line) =>
  line.endsWith('.json') ? `${line} --periods periods.csv` : line,
)

export default command({
  positionals: '[dir]',
  examples: {
    'foreproof init': 'Into this folder',
    'foreproof init forecasts': 'Into a folder of its own, as in a repository that has a README',
    'foreproof init --series': 'For a daily series of your own instead of hourly BTC/USD',
  },
  options: {
    dir: text('Folder (this one); nothing in it is overwritten'),
    series: flag('For any series: a daily draft, with its list of periods'),
  },
  run: ({ dir = '.', series }, { stdout, now }) => {
    const files = startFiles(resolve(dir), now(), series)
    // Uses the paths that a user in this folder would write, because findings about the files are read here.
    const named = files.map(({ path, text }) => ({ path: relative('', path), text }))
    uninterrupted(() => createAll(named))
    const rows = files.map(({ name, what }) => [join(dir, name), what] as const)
    const lines = [
      ...twoColumns(rows).split('\n'),
      '',
      dir === '.'
        ? 'From here to a frozen protocol:'
        : `To a frozen protocol, in ${printable(dir)}:`,
      ...(series ? NEXT_OF_SERIES : NEXT).map((line) => `  npx foreproof ${line}`),
    ]
    stdout.write(`${lines.join('\n')}\n`)
    return EXIT.holds
  },
})

/** The members of a protocol that are a choice: neither constants nor texts that explain a rule. */
const CHOICES = [
  'protocol_version',
  'purpose',
  'estimands/comparisons/required',
  'estimands/comparisons/simple_baseline_pool',
  'sampling/strata',
  'sampling/minimum_effective_sample/paired_origins_per_horizon',
  'sampling/minimum_effective_sample/effective_independent_blocks_per_comparison',
  'design/practical_effect_floor',
  'uncertainty/block_length_origins',
  'uncertainty/replicates',
  'uncertainty/multiplicity/alpha',
  'uncertainty/seed',
]

/** The schema's description of each choice in a protocol, because JSON has no comments. */
function protocolComments(): string {
  return commentTable(CHOICES.map((path) => [path, memberAt(path)?.description]))
}

/** The schema's description of each choice in a plan, or in a protocol of version 2. */
function memberComments(of: 'plan' | 'series-protocol'): string {
  const members = Object.entries(SCHEMAS[of].properties ?? {})
  const choices = members.filter(([, member]) => !Object.hasOwn(member, 'const'))
  return commentTable(choices.map(([name, { description }]) => [name, description]))
}

function memberAt(path: string): JsonSchema | undefined {
  const names = path.split('/')
  return names.reduce<JsonSchema | undefined>(
    (schema, name) => schema?.properties?.[name],
    SCHEMAS.protocol,
  )
}

/** A Markdown table. */
function commentTable(
  rows: readonly (readonly [name: string, text: string | undefined])[],
  head = ['member', 'what it says'],
): string {
  const lines = rows.map(([name, text = '']) => `| \`${name}\` | ${text} |`)
  return [`| ${head.join(' | ')} |`, '| --- | --- |', ...lines].join('\n')
}

/** The protocol that a draft is copied from. */
const SOURCE = 'btcusd-hourly-4'

/** Only in the shipped protocol: what it replaces. */
const REPLACES = / It replaces .*$/

/** The shipped protocol as a draft, with its own name and no digest yet. */
export function protocolDraft(version: string): Protocol {
  const file = join(shippedProtocols(), `${SOURCE}.json`)
  const shipped = JSON.parse(readFileSync(file, 'utf8')) as Protocol
  return {
    ...shipped,
    protocol_sha256: '0'.repeat(64),
    protocol_version: version,
    purpose: shipped.purpose.replace(REPLACES, ''),
  }
}

/** A version named after a folder, usable as a file name on every system. */
export function versionFor(folderName: string): string {
  const words = folderName.toLowerCase().match(/[a-z0-9]+/g) ?? ['protocol']
  return `${words.join('-').slice(0, 60)}-1`
}

const TEMPLATES = new URL('../../../templates/init/', import.meta.url)

/** A file that `init` writes. */
interface StartFile {
  readonly path: string
  /** The path as a person in the folder writes it, with `/`. */
  readonly name: string
  /** Its description, for the README and the screen. */
  readonly what: string
  readonly text: string
}

/**
 * All files that `init` writes into a folder. Its workflow is at the top of the git repository around the folder,
 * because it is found only there.
 * @param folder an absolute path; it may not exist yet.
 */
function startFiles(folder: string, now: Instant, series: boolean): StartFile[] {
  const name = versionFor(basename(folder))
  const { draft, plan, periods } = series ? seriesStart(name, now) : hourlyStart(name, now)
  const top = topOfRepository(folder)
  const subfolder = slashed(relative(top, folder))
  const workflow = join(top, '.github', 'workflows', workflowName(subfolder))
  const schema = (of: 'protocol' | 'series-protocol' | 'plan') =>
    `${JSON.stringify(SCHEMAS[of], null, 2)}\n`
  const listed: Omit<StartFile, 'path'>[] = [
    { name: 'draft.json', what: 'Draft of a protocol', text: draft },
    ...(periods === undefined
      ? []
      : [{ name: 'periods.csv', what: 'Its list of periods', text: periods }]),
    { name: 'plan.json', what: 'Plan of an evaluation, to be filled in', text: plan },
    { name: 'protocols/.gitkeep', what: 'Folder of frozen protocols and their ledger', text: '' },
    {
      name: 'data/.gitignore',
      what: 'Folder of histories and exchange files, which git leaves alone',
      text: template('gitignore'),
    },
    {
      name: 'evidence/.gitkeep',
      what: 'Folder of what `score` leaves, one folder for each evaluation',
      text: '',
    },
    {
      name: '.gitattributes',
      what: 'Keeps git from changing bytes that have a digest',
      text: template('gitattributes'),
    },
    {
      name: '.vscode/settings.json',
      what: 'Says to the editor which schema is for which file',
      text: template('vscode-settings.json'),
    },
    {
      name: 'schemas/protocol.schema.json',
      what: 'What a protocol may say',
      text: schema(series ? 'series-protocol' : 'protocol'),
    },
    { name: 'schemas/plan.schema.json', what: 'What a plan may say', text: schema('plan') },
  ]
  const inFolder = listed.map((each) => ({ ...each, path: join(folder, each.name) }))
  const gate: StartFile = {
    path: workflow,
    name: slashed(relative(folder, workflow)),
    what: 'Runs the gate on GitHub',
    text: filled('workflow.yml', { FOLDER: JSON.stringify(subfolder === '' ? '.' : subfolder) }),
  }
  const all = [...inFolder, gate]
  const readme = filled(series ? 'README-series.md' : 'README.md', {
    NAME: name,
    SOURCE,
    FILES: commentTable(
      all.map((each) => [each.name, each.what]),
      ['file', 'what it is'],
    ),
    PROTOCOL: series ? memberComments('series-protocol') : protocolComments(),
    PLAN: memberComments('plan'),
    WORKFLOW: gate.name,
    VERSION,
  })
  const what = 'What each file is for; begin here'
  return [{ path: join(folder, 'README.md'), name: 'README.md', what, text: readme }, ...all]
}

function hourlyStart(name: string, now: Instant) {
  const draft = protocolDraft(name)
  const plan = planTemplate(draft, { mode: 'prospective', now })
  return { draft: protocolText(draft), plan: `${templateText(plan)}\n`, periods: undefined }
}

/** Several folders of one repository may each have a workflow, so its name contains the folder. */
function workflowName(subfolder: string): string {
  const words = subfolder.match(/[A-Za-z0-9]+/g)
  return words === null ? 'foreproof.yml' : `foreproof-${words.join('-')}.yml`
}

const slashed = (path: string) => path.replaceAll('\\', '/')

function template(name: string): string {
  return readFileSync(new URL(name, TEMPLATES), 'utf8')
}

function filled(name: string, values: Readonly<Record<string, string>>): string {
  return template(name).replace(/@([A-Z]+)@/g, (mark, word) => values[word] ?? mark)
}

/** The top of the git repository around a folder, which may not exist yet; else the folder itself. */
function topOfRepository(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return folder
  }
}

const EXAMPLE = new URL('../../../templates/series/daily/draft.json', import.meta.url)

/**
 * The files of `init --series`: a draft for one daily series, the days of last year, this year and the next two, and a
 * plan.
 */
function seriesStart(version: string, now: Instant) {
  const year = new Date(now / 1000).getUTCFullYear()
  const [from, to] = [`${year - 1}-01-01`, `${year + 2}-12-31`]
  const days = { from: midnight(from), to: midnight(to) }
  const periods: PeriodList = dayPeriods(days, zoneNamed('UTC') as Zone)
  const draft = seriesDraft(version, `foreproof periods --days --from ${from} --to ${to}`)
  const plan = seriesPlanTemplate(draft, periods, { mode: 'prospective', now })
  return {
    draft: protocolText(draft),
    periods: periodsText(periods),
    plan: `${templateText(plan)}\n`,
  }
}

const midnight = (day: string) => (Date.parse(day) / 86_400_000) * MICROS_PER_DAY

/** The example of daily temperatures as a draft; `freeze` adds the figures of its list. */
function seriesDraft(version: string, madeBy: string): SeriesProtocol {
  const example = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as SeriesProtocol
  return {
    ...example,
    protocol_version: version,
    purpose: 'Is a forecast of the series, one to three days ahead, better than its last value?',
    series: [{ id: '<id of the series>', unit: '<its unit>', source: '<who publishes it>' }],
    zone: 'UTC',
    periods: { made_by: madeBy } as SeriesProtocol['periods'],
    outcome: { ...example.outcome, release: { rule: 'unrevised', wait: 'P7D' } },
    scaling: { kind: 'none' },
  }
}

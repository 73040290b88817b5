import type { SeriesProtocol } from '../../contract/types.js'
import { asciiJson } from '../../forecast/ascii.js'
import type { TruthManifest } from '../../truth/vintage.js'
import { LEVELS } from '../forecasts.js'
import { HORIZON_COLUMN, HUB, type HubFormat, ORIGIN_COLUMN, WEEK_COLUMN } from './columns.js'
import type { HubModel } from './names.js'

/** Where hubverse has its schemas. */
const SCHEMAS = 'https://raw.githubusercontent.com/hubverse-org/schemas/main'

/** What is asked in a hub: every origin, week and horizon of its files. */
interface HubTasks {
  /** In order of time; at least one. */
  readonly origins: readonly string[]
  /** The rounds. */
  readonly weeks: readonly string[]
  /** Ascending. */
  readonly horizons: readonly number[]
}

/** The files of a hub that say what the others are, by their paths. */
export function hubConfig(tasks: HubTasks, format: HubFormat): Readonly<Record<string, string>> {
  return configFiles(README, { admin: adminOf(format), tasks: tasksOf(tasks) })
}

/** @param parts - by the names of their files. */
function configFiles(readme: string, parts: Readonly<Record<string, object>>) {
  const all = { ...parts, 'model-metadata-schema': METADATA_SCHEMA }
  const files = Object.entries(all).map(([name, value]) => {
    return [`${HUB.config}/${name}.json`, `${JSON.stringify(value, null, 2)}\n`]
  })
  return { 'README.md': readme, ...Object.fromEntries(files) }
}

/** Hubs know no UTC by that name; Iceland has kept to it since 1968. */
/** Hubs name zones of places alone; the clock of this one is that of UTC all year. */
const UTC_PLACE = 'Atlantic/Reykjavik'

const isUtc = (zone: string) => /^(?:Etc\/)?(?:UTC|GMT)$/i.test(zone)

const adminOf = (format: HubFormat) => ({
  schema_version: `${SCHEMAS}/v5.1.0/admin-schema.json`,
  name: 'Forecasts of a price',
  maintainer: 'Not stated',
  contact: { name: 'Not stated' },
  repository: {},
  file_format: [format],
  timezone: UTC_PLACE,
  model_output_dir: HUB.output,
})

/** A hub counts steps in days, weeks or months: horizons in hours are a variable of the task, no steps. */
function tasksOf({ origins, weeks, horizons }: HubTasks) {
  const price = { type: 'double', minimum: 0 }
  return oneRound('v5.1.0', {
    variables: { [WEEK_COLUMN]: weeks, [ORIGIN_COLUMN]: origins, [HORIZON_COLUMN]: horizons },
    outputs: {
      median: { output_type_id: { required: null }, value: price, is_required: true },
      quantile: { output_type_id: { required: LEVELS }, value: price, is_required: false },
    },
    target: {
      target_id: 'price',
      target_name: 'Close of BTC/USD so many hours after the origin',
      target_units: 'US dollars',
      target_type: 'continuous',
    },
    due: { start: dateOf(origins.at(0)), end: dateOf(origins.at(-1)) },
  })
}

interface Round {
  /** What may be asked: the values of each variable. */
  readonly variables: Readonly<Record<string, readonly (string | number)[]>>
  readonly outputs: object
  readonly target: object
  readonly due: object
}

/** The tasks of a hub whose rounds are all alike. */
function oneRound(version: string, { variables, outputs, target, due }: Round) {
  const taskIds = Object.entries(variables).map(([name, optional]) => {
    return [name, { required: null, optional }]
  })
  return {
    schema_version: `${SCHEMAS}/${version}/tasks-schema.json`,
    rounds: [
      {
        round_id_from_variable: true,
        round_id: WEEK_COLUMN,
        model_tasks: [
          {
            task_ids: Object.fromEntries(taskIds),
            output_type: outputs,
            target_metadata: [{ ...target, target_keys: null, is_step_ahead: false }],
          },
        ],
        submissions_due: due,
      },
    ],
    output_type_id_datatype: 'double',
  }
}

/** What is asked in a hub of any series. */
interface SeriesHubTasks {
  readonly protocol: SeriesProtocol
  /** In order of time. */
  readonly references: readonly string[]
  readonly targets: readonly string[]
  readonly horizons: readonly number[]
  readonly levels: readonly string[]
  /** Some forecasts have a point without a quantile of level 0.5. */
  readonly hasMedians: boolean
  /** Of the target data, where there are any. */
  readonly truth: TruthManifest | undefined
}

/** The same of a hub of any series, by schemas 6.0.0. */
export function seriesHubConfig(
  tasks: SeriesHubTasks,
  format: HubFormat,
): Readonly<Record<string, string>> {
  const { model_output_dir, ...admin } = adminOf(format)
  return configFiles(SERIES_README, {
    admin: {
      ...admin,
      schema_version: `${SCHEMAS}/v6.0.0/admin-schema.json`,
      name: tasks.protocol.protocol_version,
      repository: { host: 'github', owner: 'not-stated', name: 'not-stated' },
      timezone: isUtc(tasks.protocol.zone) ? UTC_PLACE : tasks.protocol.zone,
    },
    tasks: seriesTasksOf(tasks),
    ...(tasks.truth && { 'target-data': targetData(tasks.truth) }),
  })
}

function seriesTasksOf({ protocol, references, ...tasks }: SeriesHubTasks) {
  const { minimum, integer } = protocol.forecast
  const value = {
    type: integer ? 'integer' : 'double',
    ...(minimum !== undefined && { minimum: Number(minimum) }),
  }
  const median = { output_type_id: { required: null }, value, is_required: false }
  const levels = { required: tasks.levels.map(Number) }
  const units = [...new Set(protocol.series.map(({ unit }) => unit))].join(', ')
  const round = oneRound('v6.0.0', {
    variables: {
      [WEEK_COLUMN]: references,
      location: protocol.series.map(({ id }) => id),
      horizon: tasks.horizons,
      target_end_date: tasks.targets,
    },
    outputs: {
      ...(tasks.hasMedians && { median }),
      ...(tasks.levels.length > 0 && {
        quantile: { output_type_id: levels, value, is_required: true },
      }),
    },
    target: {
      target_id: 'value',
      target_name: protocol.protocol_version.slice(0, 100),
      target_units: units.slice(0, 100),
      target_type: integer ? 'discrete' : 'continuous',
    },
    due: { start: references.at(0), end: references.at(-1) },
  })
  return { ...round, derived_task_ids: ['target_end_date'] }
}

const targetData = ({ first_as_of }: TruthManifest) => ({
  schema_version: `${SCHEMAS}/v6.0.0/target-data-schema.json`,
  observable_unit: ['target_end_date', 'location'],
  date_col: 'target_end_date',
  versioned: false,
  'time-series': { versioned: first_as_of !== null },
  'oracle-output': { versioned: false, has_output_type_ids: false },
})

/** The day of an origin. */
const dateOf = (origin = ''): string => origin.split('_').slice(0, 3).join('-')

const text = (description: string, more: object = {}) => ({ description, type: 'string', ...more })
const NAME = { pattern: '^[A-Za-z0-9_]+$' }

const METADATA_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Metadata of a model',
  type: 'object',
  properties: {
    team_name: text('Who made the forecasts.'),
    team_abbr: text('The team in the names of files.', NAME),
    model_name: text('The model.'),
    model_abbr: text('The model in the names of files.', NAME),
    foreproof_model: text('The name in a forecast history, where it is not TEAM-MODEL.'),
  },
  required: ['team_name', 'team_abbr', 'model_name', 'model_abbr'],
  additionalProperties: true,
}

/** The metadata of a model, in YAML. @param name - as a history has it. */
export function modelMetadata({ team, model, id }: HubModel, name: string): string {
  const members: readonly (readonly [string, string])[] = [
    ['team_name', team],
    ['team_abbr', team],
    ['model_name', name],
    ['model_abbr', model],
    ...(name === id ? [] : [['foreproof_model', name] as const]),
  ]
  // JSON in ASCII is YAML in any version.
  return members.map(([key, value]) => `${key}: ${asciiJson(value)}\n`).join('')
}

const OWN_NAME = /^foreproof_model: (".*")$/m

/** The name in a forecast history that a model's metadata gives; undefined where they give none. */
export function ownNameIn(metadata: string): string | undefined {
  const [, name] = OWN_NAME.exec(metadata) ?? []
  if (name === undefined) return undefined
  try {
    return JSON.parse(name) as string
  } catch {
    return undefined
  }
}

const SERIES_README = `# Forecasts of some series

A modeling hub in the form of hubverse, written by foreproof.

- \`${HUB.output}/\`: for each model a folder, in it a file for each reference date. Dates are the last days of periods, by the
  clock of the time zone in \`${HUB.config}/admin.json\`; \`horizon\` counts periods.
- \`target-data/\`, where it is there: \`time-series.csv\` has every value, and the day on which it became public where that is known;
  \`oracle-output.csv\` has the ones that count.
`

const README = `# Forecasts of a price

A modeling hub in the form of hubverse, written by foreproof.

- \`${HUB.output}/\`: for each model a folder, in it a file for each week, whose last day, a Saturday, is \`${WEEK_COLUMN}\`. \`${ORIGIN_COLUMN}\` is the origin in UTC:
  \`2026_01_31_12\` is noon. \`${HORIZON_COLUMN}\` are hours from there to the target. The median is the point forecast.
- \`target-data/\`, where it is there: the close at each target.
- \`auxiliary-data/\`: the price at each origin, as the forecasts had it.
`

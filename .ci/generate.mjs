// Makes what git does not keep: the types and validators of the contract from its schema files, and the
// version from package.json. Lays the style sheets where the compiled code looks for them. Part of
// `npm run build`; needs no dist/.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { _ } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { compile } from 'json-schema-to-typescript'

const SRC = new URL('../src/', import.meta.url)
const SCHEMAS = new URL('contract/schemas/', SRC)
const { version } = JSON.parse(readFileSync(new URL('../package.json', SRC), 'utf8'))
const BANNER = '// Made from src/contract/schemas by .ci/generate.mjs.'

const ENDING = '.schema.json'
/** Schema files by their names without the ending. */
const named = Object.fromEntries(
  readdirSync(SCHEMAS)
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .map((name) => [
      name.slice(0, -ENDING.length),
      JSON.parse(readFileSync(new URL(name, SCHEMAS), 'utf8')),
    ]),
)
const files = Object.values(named)
const byId = new Map(files.map((file) => [file.$id, file]))

/** What is only ever a string or a part of something else has neither type nor validator. */
const WITHOUT_TYPE = new Set(['Timestamp', 'HistoryLine'])

/** Only files are named types, members of a file parts of it; timestamps are plain strings, and keep what is said of each. */
function forTypes(node, of) {
  if (Array.isArray(node)) return node.map((each) => forTypes(each, of))
  if (typeof node !== 'object' || node === null) return node
  if (typeof node.$ref === 'string') {
    const [file, member] = node.$ref.split('#/properties/')
    if (member !== undefined) {
      const own = `NonNullable<${of}['${member}']>`
      const tsType = file === '' ? own : `${byId.get(file).title}['${member}']`
      return { description: node.description, tsType }
    }
    const { title, description } = byId.get(node.$ref)
    return title === 'Timestamp'
      ? { description: node.description ?? description, tsType: 'string' }
      : { description: node.description, tsType: title }
  }
  const { title, properties, ...rest } = node
  const members = Object.entries(properties ?? {}).map(([name, value]) => [
    name,
    forTypes(value, of),
  ])
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, forTypes(value, of)])),
    ...(properties && { properties: Object.fromEntries(members) }),
  }
}

async function types() {
  const parts = []
  for (const { $schema, $id, title, ...body } of files) {
    if (WITHOUT_TYPE.has(title)) continue
    parts.push(
      await compile(forTypes(body, title), title, {
        additionalProperties: false,
        bannerComment: '',
        format: false,
        ignoreMinAndMaxItems: true,
        unknownAny: true,
      }),
    )
  }
  return [BANNER, ...parts].join('\n')
}

const importOf = (name, as) =>
  `import ${as} from '../schemas/${name}${ENDING}' with { type: 'json' }`

/** Every schema file by its name. */
function schemaFiles() {
  const names = Object.keys(named)
  const imports = names.map((name, at) => importOf(name, `schema${at}`))
  const members = names.map((name, at) => `  '${name}': schema${at},`)
  return [BANNER, ...imports, 'export const FILES = {', ...members, '}', ''].join('\n')
}

/** What has rules besides its schema: only its form is checked here, `check-payload.ts` calls the rest. */
const RULED = new Set([
  'ForecastResource',
  'HistoryBody',
  'LatestBody',
  'StaticLatestBody',
  'StaticPageBody',
])

/** A validator for each of some schemas, and the function that says its errors as findings. */
function checks(titles) {
  const names = Object.keys(named).filter((name) => titles.includes(named[name].title))
  return [
    BANNER,
    '// @ts-nocheck',
    "import { createSchemaCheck } from '../schema-findings.js'",
    ...names.map((name) => importOf(name, `schemaOf${named[name].title}`)),
    validators(titles),
    ...names.map((name) => {
      const { title } = named[name]
      const form = RULED.has(title) ? 'Form' : ''
      return `/** Every violation of the schema in one run; none means that the value is a \`${title}\`. */
export const check${title}${form} = createSchemaCheck(validate${title}, schemaOf${title})`
    }),
    '',
  ].join('\n')
}

/** A schema without what it says to people: a validator would carry it along. */
function withoutWords(node) {
  if (Array.isArray(node)) return node.map(withoutWords)
  if (typeof node !== 'object' || node === null) return node
  const said = ({ title, description, ...rest }) => rest
  const members = ({ properties, ...rest }) => [said(rest), properties]
  const [rest, properties] = members(node)
  const within = (part) =>
    Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutWords(value)]))
  return { ...within(rest), ...(properties && { properties: within(properties) }) }
}

function validators(titles) {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    inlineRefs: false,
    messages: false,
    // Lengths are only ever compared with 1, for which UTF-16 units count as code points do. The
    // option is called deprecated, and strict mode throws what else would be logged.
    unicode: false,
    logger: false,
    schemas: files.map(withoutWords),
    // Only its name counts: the code looks the format up in the contract's own.
    formats: { 'date-time': { validate: () => true } },
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  })
  const ids = files
    .filter(({ title }) => titles.includes(title))
    .map(({ title, $id }) => [title, $id])
  const code = standaloneCode(
    ajv,
    Object.fromEntries(ids.map(([title, id]) => [`validate${title}`, id])),
  )
    .replace(/^"use strict";\n?/, '')
    .replaceAll('require("ajv/dist/runtime/equal").default', 'equal')
    .replaceAll('formats["date-time"]', '{ validate: formats["date-time"] }')
  const loads = /require\([^)]*\)/.exec(code)
  if (loads) throw new Error(`a validator loads ${loads[0]}`)
  const imports = [
    code.includes('= equal') && "import { equal } from '../equal.js'",
    code.includes('formats[') && "import { formats } from '../formats.js'",
  ].filter(Boolean)
  return [...imports, code.replaceAll(/^export const validate/gm, 'const validate')].join('\n')
}

const PAYLOADS = [
  'Attempt',
  'AuditEvent',
  'ErrorBody',
  'ForecastResource',
  'Freshness',
  'HealthBody',
  'HistoryBody',
  'LatestBody',
  'SeriesAttempt',
  'SeriesForecast',
  'StaticLatestBody',
  'StaticPageBody',
]

const generated = {
  'contract/generated/types.ts': await types(),
  // Apart, so that checking a protocol does not load what only payloads need.
  'contract/generated/schema-files.ts': schemaFiles(),
  'contract/generated/check-protocol.ts': checks(['Protocol', 'SeriesProtocol']),
  'contract/generated/check-result.ts': checks(['Result', 'CellLine']),
  'contract/generated/check-pair-line.ts': checks(['PairLine']),
  'contract/generated/check-record.ts': checks(['TrackRecord']),
  'contract/generated/check-registration.ts': checks(['Plan', 'Registration']),
  'contract/generated/check-power.ts': checks(['Power']),
  'contract/generated/check-keys-file.ts': checks(['KeysFile']),
  'contract/generated/check-pipeline-health.ts': checks(['PipelineHealth']),
  'contract/generated/check-payloads.ts': checks(PAYLOADS),
  'contract/generated/version.ts': `export const VERSION = '${version}'\n`,
}
for (const [path, text] of Object.entries(generated)) {
  const url = new URL(path, SRC)
  mkdirSync(fileURLToPath(new URL('.', url)), { recursive: true })
  writeFileSync(url, text)
}

for (const path of ['report/html/style.css', 'report/html/chart.css', 'site/page/style.css']) {
  cpSync(new URL(path, SRC), new URL(`../dist/${path}`, SRC))
}

// Makes the types and the validators of the contract from its schemas (in dist/, so build first).
// `--check` writes nothing and fails when the committed files are not what the schemas say.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { _ } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { compile } from 'json-schema-to-typescript'
import { formats } from '../dist/contract/formats.js'
import { DEFINITIONS } from '../dist/contract/schemas/index.js'

const BANNER = '// Made from src/contract/schemas by .ci/generate.mjs: do not edit.'
const { Timestamp, ...NAMED } = DEFINITIONS

/** What has a validator in another file, or is only ever a part. */
const APART = new Set([
  'Protocol',
  'Provenance',
  'HealthData',
  'ModelReference',
  'StratumDefinition',
  'Plan',
  'Registration',
  'Result',
])

/** Timestamps are plain strings to TypeScript, and keep what is said of each. */
function withoutTimestamp(node) {
  if (Array.isArray(node)) return node.map(withoutTimestamp)
  if (typeof node !== 'object' || node === null) return node
  if (node.$ref === '#/$defs/Timestamp') {
    return { description: node.description ?? Timestamp.description, type: 'string' }
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutTimestamp(value)]),
  )
}

async function types() {
  const names = Object.keys(NAMED)
  const root = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: withoutTimestamp(NAMED),
  }
  const text = await compile(root, 'Contract', {
    additionalProperties: false,
    bannerComment: BANNER,
    ignoreMinAndMaxItems: true,
    unknownAny: true,
    style: { semi: false, singleQuote: true, printWidth: 100 },
  })
  // The root only held the definitions together.
  return text.replace(/export interface Contract \{[\s\S]*?\n\}\n/, '')
}

function validators(names) {
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
    formats: Object.fromEntries(
      Object.entries(formats).map(([name, validate]) => [name, { validate }]),
    ),
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  })
  ajv.addSchema({ $id: 'contract', $defs: DEFINITIONS })
  const code = standaloneCode(
    ajv,
    Object.fromEntries(names.map((name) => [`validate${name}`, `contract#/$defs/${name}`])),
  )
    .replace(/^"use strict";\n?/, '')
    .replaceAll('require("ajv/dist/runtime/equal").default', 'equal')
    .replaceAll('formats["date-time"]', '{ validate: formats["date-time"] }')
  const loads = /require\([^)]*\)/.exec(code)
  if (loads) throw new Error(`a validator loads ${loads[0]}`)
  const imports = [
    code.includes('= equal') && "import { equal } from './equal.js'",
    code.includes('formats[') && "import { formats } from './formats.js'",
  ].filter(Boolean)
  return [BANNER, '// @ts-nocheck', ...imports, code].join('\n')
}

let stale = 0
for (const [name, text] of [
  ['types.generated.ts', await types()],
  // Apart, so that checking a protocol does not load what only payloads need.
  ['protocol-validator.generated.ts', validators(['Protocol'])],
  ['result-validator.generated.ts', validators(['Result'])],
  ['registration-validators.generated.ts', validators(['Plan', 'Registration'])],
  [
    'payload-validators.generated.ts',
    validators(Object.keys(NAMED).filter((type) => !APART.has(type))),
  ],
]) {
  const path = fileURLToPath(new URL(`../src/contract/${name}`, import.meta.url))
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`src/contract/${name} is not what the schemas say: run npm run generate`)
    stale++
  }
}
process.exitCode = stale === 0 ? 0 : 1

import { EXIT, ForeproofError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { openApiDocument } from '../../contract/openapi/document.js'
import { SCHEMAS } from '../../contract/schemas/index.js'
import type { Command } from '../command.js'

interface Arguments {
  readonly name: string | undefined
  readonly list: boolean
}

const OPENAPI = 'openapi'
const NAMES = [...Object.keys(SCHEMAS), OPENAPI]

const command: Command<Arguments> = {
  positionals: '[name]',
  describe: 'Print a schema of the contract, or its OpenAPI document, as plain JSON',
  examples: [
    ['foreproof schema protocol', 'JSON Schema of a scoring protocol'],
    ['foreproof schema openapi', 'OpenAPI 3.1 document of the forecast API'],
    ['foreproof schema --list', 'Names and descriptions of all'],
  ],
  options: (yargs) =>
    yargs
      .positional('name', { type: 'string', describe: `One of ${NAMES.join(', ')}` })
      .option('list', { type: 'boolean', default: false, describe: 'Name every schema' }),
  run: ({ name, list }, { stdout }) => {
    if (list && name === undefined) {
      stdout.write(overview())
      return EXIT.holds
    }
    if (name === undefined || list) {
      throw new ForeproofError('usage', list ? '--list takes no name' : 'which schema?', {
        help: `One of ${NAMES.join(', ')}; or --list.`,
      })
    }
    stdout.write(`${JSON.stringify(documentOf(name), null, 2)}\n`)
    return EXIT.holds
  },
}
export default command

function documentOf(name: string): unknown {
  if (name === OPENAPI) return openApiDocument()
  if (Object.hasOwn(SCHEMAS, name)) return SCHEMAS[name as keyof typeof SCHEMAS]
  const close = nearest(name, NAMES)
  throw new ForeproofError('usage', `no schema ${name}`, {
    help: close === undefined ? `One of ${NAMES.join(', ')}.` : `Did you mean ${close}?`,
  })
}

function overview(): string {
  const width = Math.max(...NAMES.map((name) => name.length))
  const lines = Object.entries(SCHEMAS).map(
    ([name, schema]) => `${name.padEnd(width)}  ${schema.description}`,
  )
  lines.push(`${OPENAPI.padEnd(width)}  The forecast API, dynamic and static, as OpenAPI 3.1.`)
  return `${lines.join('\n')}\n`
}

import { EXIT } from '../../contract/error.js'
import { nearestHelp } from '../../contract/nearest.js'
import { openApiDocument } from '../../contract/openapi.js'
import { SCHEMAS } from '../../contract/schemas/index.js'
import { command } from '../command.js'
import { text, usage } from '../options.js'
import { twoColumns } from '../wording.js'

const OPENAPI = 'openapi'
const NAMES = [...Object.keys(SCHEMAS), OPENAPI]

export default command({
  positionals: '[name]',
  examples: {
    'foreproof schema protocol': 'JSON Schema of a scoring protocol',
    'foreproof schema openapi': 'OpenAPI 3.1 document of the forecast API',
    'foreproof schema': 'Names and descriptions of all',
  },
  options: {
    name: text(`One of ${NAMES.join(', ')}`),
  },
  run: ({ name }, { stdout }) => {
    stdout.write(
      name === undefined ? overview() : `${JSON.stringify(findDocument(name), null, 2)}\n`,
    )
    return EXIT.holds
  },
})

function findDocument(name: string): unknown {
  if (name === OPENAPI) return openApiDocument()
  if (Object.hasOwn(SCHEMAS, name)) return SCHEMAS[name as keyof typeof SCHEMAS]
  throw usage(`there is no schema ${name}`, nearestHelp(name, NAMES, `One of ${NAMES.join(', ')}.`))
}

function overview(): string {
  const schemas = Object.entries(SCHEMAS).map(([name, { description }]) => [name, description])
  const rows = [...schemas, [OPENAPI, 'The forecast API, dynamic and static, as OpenAPI 3.1.']]
  return `${twoColumns(rows as [string, string][])}\n`
}

import { initHistory } from '../../store/open.js'
import { historyName } from '../../store/shown.js'
import { command } from '../command.js'
import { needed, TEXT_OR_JSON } from '../options.js'

export default command({
  positionals: '<url>',
  examples: {
    'foreproof history init postgres://writer@db.example.org/btc': 'In the schema foreproof',
    "foreproof history init 'postgres:///btc?schema=trial'": 'In a schema of that name',
  },
  options: {
    format: TEXT_OR_JSON,
    url: needed('URL of the database; the password may come from PGPASSWORD'),
  },
  run: async ({ url }, { answer }) => {
    const made = await initHistory(url)
    const history = historyName(url)
    const text = made ? 'the tables were made' : 'the tables are there already'
    return answer({ history, made }, `${history}: ${text}`)
  },
})

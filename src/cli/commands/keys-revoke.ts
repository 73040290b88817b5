import { EXIT } from '../../contract/error.js'
import { revokeKey } from '../../service/keys/key-store.js'
import { command } from '../command.js'
import { KEYS } from '../keys.js'
import { needed } from '../options.js'

export default command({
  positionals: '<name>',
  examples: { 'foreproof keys revoke alice --keys keys.json': 'The others stay as they are' },
  options: {
    keys: KEYS,
    name: needed('As keys list names it'),
  },
  run: ({ name, keys }, { stdout }) => {
    revokeKey(keys, name)
    stdout.write(`${name} is revoked in ${keys}\n`)
    return EXIT.holds
  },
})

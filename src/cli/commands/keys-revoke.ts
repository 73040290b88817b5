import { EXIT } from '../../contract/error.js'
import { revokeKey } from '../../service/keys/key-store.js'
import { command } from '../command.js'
import { demandKeysPath, withKeys } from '../options/keys.js'

export default command({
  positionals: '<name>',
  describe: 'Remove a key from a keys file; a running service refuses it within a second',
  examples: [['foreproof keys revoke alice --keys keys.json', 'The others stay as they are']],
  options: (yargs) =>
    withKeys(yargs).positional('name', {
      type: 'string',
      demandOption: true,
      describe: 'As keys list names it',
    }),
  run: ({ name, keys }, { env, stdout }) => {
    const path = demandKeysPath(keys, env)
    revokeKey(path, name)
    stdout.write(`${name} is revoked in ${path}\n`)
    return EXIT.holds
  },
})

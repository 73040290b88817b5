import { EXIT } from '../../contract/error.js'
import { command } from '../command.js'
import { completionScript, SHELLS } from '../completion.js'

export default command({
  positionals: '<shell>',
  examples: [
    ['source <(foreproof completion bash)', 'for this session'],
    ['foreproof completion fish > ~/.config/fish/completions/foreproof.fish', 'for good'],
    ['foreproof completion zsh > ~/.zfunc/_foreproof', 'in a folder of $fpath'],
  ],
  options: {
    shell: { choices: SHELLS, demandOption: true, describe: 'The shell' },
  },
  run: async ({ shell }, context) => {
    context.stdout.write(await completionScript(shell))
    return EXIT.holds
  },
})

import yargs, { type Argv } from 'yargs'
import { EXIT } from '../../contract/error.js'
import { COLOR, COMPLETION_REQUEST, type CommandEntry, command, findCommand } from '../command.js'
import { declare } from '../parse.js'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export default command({
  positionals: '<shell>',
  examples: {
    'source <(foreproof completion bash)': 'for this session',
    'foreproof completion fish > ~/.config/fish/completions/foreproof.fish': 'for good',
    'foreproof completion zsh > ~/.zfunc/_foreproof': 'in a folder of $fpath',
  },
  options: {
    shell: { choices: SHELLS, demandOption: true, describe: 'The shell' },
  },
  run: async ({ shell }, context) => {
    context.stdout.write(await completionScript(shell))
    return EXIT.holds
  },
})

/** The script of yargs for one shell; it calls this program for completions. */
async function completionScript(shell: Shell): Promise<string> {
  const script = await withShell(shell, () => {
    const parser = yargs().scriptName('foreproof').completion('completion').exitProcess(false)
    return captureOutput(parser)
  })
  // The answer must have the form for this shell, whatever the login shell is.
  return script.replace(`foreproof ${COMPLETION_REQUEST}`, `SHELL=${shell} $&`)
}

/** Prints completions for the end of a command line: commands, options, or the choices of an option. */
export async function printCompletions(
  words: readonly string[],
  entries: readonly CommandEntry[],
): Promise<void> {
  const entry = findCommand(words.slice(1), entries)
  const command = entry && (await entry.load()).default
  const parser = yargs()
    .scriptName('foreproof')
    .locale('en')
    .version(false)
    .exitProcess(false)
    .option('color', COLOR)
  const add = (parent: Argv, name: string, each: CommandEntry) =>
    each === entry && command !== undefined
      ? parent.command(`${name} ${command.positionals ?? ''}`, each.describe, (built) =>
          declare(built, command),
        )
      : parent.command(name, each.describe)
  for (const first of new Set(entries.map(({ name }) => name.split(' ')[0] ?? ''))) {
    const members = entries.filter(({ name }) => name.startsWith(`${first} `))
    const alone = entries.find(({ name }) => name === first)
    if (alone !== undefined) add(parser, first, alone)
    else {
      parser.command(first, members.map(({ name }) => name).join(', '), (group) => {
        for (const member of members) add(group, member.name.slice(first.length + 1), member)
        return group
      })
    }
  }
  await parser.parse([COMPLETION_REQUEST, ...words])
}

function captureOutput(parser: Argv): Promise<string> {
  return new Promise((resolve, reject) => {
    parser.parse(['completion'], {}, (error, _argv, output) =>
      error ? reject(error) : resolve(`${output}\n`),
    )
  })
}

/** yargs detects the shell only from this environment variable. */
async function withShell<T>(shell: Shell, work: () => Promise<T>): Promise<T> {
  const before = process.env.SHELL
  process.env.SHELL = shell
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env.SHELL
    else process.env.SHELL = before
  }
}

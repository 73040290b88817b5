import type { Argv } from 'yargs'
import type { CommandEntry } from './command.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface Flag {
  readonly name: string
  readonly describe: string
  /** What the option can be set to, where that is a closed list. */
  readonly choices: readonly string[]
  readonly takesValue: boolean
}

interface Described {
  readonly name: string
  readonly describe: string
  readonly flags: readonly Flag[]
  /** A closed list that the first positional is from. */
  readonly values: readonly string[]
}

/** A script that makes a shell complete commands, options and their choices. */
export async function completionScript(
  shell: Shell,
  entries: readonly CommandEntry[],
): Promise<string> {
  const commands = await Promise.all(entries.map(describe))
  return { bash, zsh, fish }[shell](commands)
}

/** Runs the declaration of a command against a recorder that accepts whatever yargs would. */
async function describe(entry: CommandEntry): Promise<Described> {
  const command = (await entry.load()).default
  const flags: Flag[] = [flag('help', { describe: 'Show help', type: 'boolean' })]
  const values: string[] = []
  const recorder: unknown = new Proxy(
    {},
    {
      get: (_, method) => (name: unknown, spec: Spec) => {
        if (method === 'option' && typeof name === 'string') flags.push(flag(name, spec))
        if (method === 'positional') values.push(...(spec.choices ?? []).map(String))
        return recorder
      },
    },
  )
  command.options(recorder as Argv)
  return { name: entry.name, describe: entry.describe, flags, values }
}

interface Spec {
  readonly type?: string
  readonly describe?: string
  readonly choices?: readonly unknown[]
}

function flag(name: string, { type, describe = '', choices = [] }: Spec): Flag {
  return { name, describe, choices: choices.map(String), takesValue: type !== 'boolean' }
}

/** First words, and for those that are groups the second ones. */
function groups(commands: readonly Described[]): Map<string, string[]> {
  const words = new Map<string, string[]>()
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ')
    const seconds = words.get(first) ?? []
    words.set(first, second === undefined ? seconds : [...seconds, second])
  }
  return words
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function bash(commands: readonly Described[]): string {
  const words = groups(commands)
  const seconds = [...words].filter(([, list]) => list.length > 0)
  const cases = commands.flatMap(({ name, flags, values }) => [
    ...flags
      .filter((each) => each.choices.length > 0)
      .map(
        (each) =>
          `    ${quoted(`${name} --${each.name}`)}) words=${quoted(each.choices.join(' '))} ;;`,
      ),
    `    ${quoted(`${name} `)}*) words=${quoted([...values, ...flags.map((each) => `--${each.name}`)].join(' '))} ;;`,
  ])
  return `# foreproof completion for bash: source this file, or save it as
# ~/.local/share/bash-completion/completions/foreproof
_foreproof() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words command
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted([...words.keys(), '--help', '--version'].join(' '))}
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  command=\${COMP_WORDS[1]}
  case $command in
${seconds.map(([first, list]) => `    ${first}) words=${quoted(list.join(' '))} ;;`).join('\n')}
    *) words='' ;;
  esac
  if [ -n "$words" ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
    fi
    command="$command \${COMP_WORDS[2]}"
  fi
  words=''
  case "$command $previous" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _foreproof foreproof
`
}

function zsh(commands: readonly Described[]): string {
  const words = groups(commands)
  const said = (first: string) =>
    commands.find(({ name }) => name === first)?.describe ?? `${words.get(first)?.join(', ')}`
  const item = (name: string, text: string) => quoted(`${name}:${text.replaceAll(':', '\\:')}`)
  const cases = commands.map(({ name, flags, values }) => {
    const options = flags.map(({ name: option, describe: text, choices, takesValue }) => {
      const label = text.replaceAll(/[[\]:]/g, ' ')
      const action = choices.length > 0 ? `(${choices.join(' ')})` : '_files'
      return quoted(`--${option}[${label}]${takesValue ? `:${option}:${action}` : ''}`)
    })
    const rest = values.length > 0 ? quoted(`1:value:(${values.join(' ')})`) : "'*:file:_files'"
    return `    ${quoted(name)}) _arguments ${[...options, rest].join(' ')} ;;`
  })
  const second = [...words]
    .filter(([, list]) => list.length > 0)
    .map(([first, list]) => `    ${first}) seconds=(${list.join(' ')}) ;;`)
  return `#compdef foreproof
# foreproof completion for zsh: save this file as _foreproof in a folder of $fpath.
_foreproof() {
  local -a firsts seconds
  firsts=(${[...words.keys()].map((first) => item(first, said(first))).join(' ')})
  if (( CURRENT == 2 )); then _describe command firsts; return; fi
  local command=$words[2]
  case $command in
${second.join('\n')}
  esac
  if (( \${#seconds} )); then
    if (( CURRENT == 3 )); then compadd -a seconds; return; fi
    command="$command $words[3]"
    shift words; (( CURRENT-- ))
  fi
  shift words; (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
_foreproof "$@"
`
}

function fish(commands: readonly Described[]): string {
  const lines = [
    '# foreproof completion for fish: save as ~/.config/fish/completions/foreproof.fish',
  ]
  for (const [first, seconds] of groups(commands)) {
    const about = commands.find(({ name }) => name === first)?.describe ?? seconds.join(', ')
    lines.push(`complete -c foreproof -n __fish_use_subcommand -a ${first} -d ${fishQuoted(about)}`)
  }
  for (const { name, describe: about, flags, values } of commands) {
    const [first = '', second] = name.split(' ')
    if (second !== undefined) {
      const until = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}`
      lines.push(`complete -c foreproof -n '${until}' -a ${second} -d ${fishQuoted(about)}`)
    }
    const seen = [first, second]
      .filter(Boolean)
      .map((word) => `__fish_seen_subcommand_from ${word}`)
    const when = `-n '${seen.join('; and ')}'`
    for (const { name: option, describe: text, choices, takesValue } of flags) {
      const value = choices.length > 0 ? ` -xa '${choices.join(' ')}'` : takesValue ? ' -r' : ''
      lines.push(`complete -c foreproof ${when} -l ${option}${value} -d ${fishQuoted(text)}`)
    }
    if (values.length > 0) lines.push(`complete -c foreproof ${when} -a '${values.join(' ')}'`)
  }
  return `${lines.join('\n')}\n`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

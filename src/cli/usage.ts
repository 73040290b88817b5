import { ForeproofError } from '../contract/error.js'
import { nearest } from '../contract/nearest.js'

/** What is known of a command line that yargs refuses. */
export interface Refused {
  /** `foreproof score` */
  readonly commandName: string
  /** As yargs writes them: `<protocol> [folder]`. */
  readonly positionals: string
  /** The options of the command, without hyphens. */
  readonly options: readonly string[]
  /** Values given for positionals, where that is known. */
  readonly given: number
  /** The first option that the command does not have. */
  readonly stray: string | undefined
}

/** What is wrong with a command line, in words of our own: yargs counts where a name is asked for. */
export function usageError(message: string, refused: Refused): ForeproofError {
  const { says, help } = wordsOf(message, refused)
  const { commandName } = refused
  return new ForeproofError('usage', says, { help: help ?? `See: ${commandName} --help` })
}

interface Words {
  readonly says: string
  readonly help?: string
}

function wordsOf(message: string, refused: Refused): Words {
  const { stray, options } = refused
  // An option that nobody knows swallows the word after it: that word is not what is missing.
  if (stray !== undefined) return unknownOption(stray, options)
  if (message.startsWith('Not enough non-option')) return missingPositional(refused)
  const [, missing] = /^Missing required arguments?: (.*)/s.exec(message) ?? []
  if (missing !== undefined) return missingOptions(missing.split(', '))
  const [, without] = /^Not enough arguments following: (.*)/s.exec(message) ?? []
  if (without !== undefined) return { says: `${dashed(without)} needs a value` }
  const [, name, value, choices] =
    /Argument: (.*?), Given: (.*), Choices: (.*)$/s.exec(message) ?? []
  if (name !== undefined && choices !== undefined)
    return notAChoice(name, value ?? '', choices, refused)
  const [, words] = /^Unknown (?:argument|command)s?: (.*)/s.exec(message) ?? []
  if (words !== undefined) return tooMany(words)
  return { says: message }
}

function missingOptions(names: readonly string[]): Words {
  const verb = names.length === 1 ? 'is' : 'are'
  return { says: `${names.map(dashed).join(', ')} ${verb} missing` }
}

/** Yargs joins words by commas, which they may hold as well: of several, none is shown alone. */
function tooMany(words: string): Words {
  const several = words.includes(', ')
  return { says: several ? `too many arguments: ${words}` : `"${words}" is one argument too many` }
}

function unknownOption(name: string, options: readonly string[]): Words {
  const close = nearest(name, options)
  return {
    says: `there is no option --${name}`,
    ...(close !== undefined && { help: `Did you mean ${dashed(close)}?` }),
  }
}

/** The first positional that was left out, by its name. */
function missingPositional({ commandName, positionals, given }: Refused): Words {
  const names = [...positionals.matchAll(/<([\w-]+)(?:\.\.)?>/g)].map(([, name]) => name ?? '')
  const missing = (names[given] ?? names.at(-1) ?? 'an argument').toUpperCase()
  return {
    says: `${missing} is missing`,
    help: `Usage: ${commandName} ${positionals}. See: ${commandName} --help`,
  }
}

function notAChoice(name: string, value: string, choices: string, refused: Refused): Words {
  const known = choices.split(', ').map((choice) => choice.replace(/^"|"$/g, ''))
  const isOption = !refused.positionals.split(/[^\w-]+/).includes(name)
  const given = value.replace(/^"|"$/g, '')
  const close = nearest(given, known)
  return {
    says: `${isOption ? dashed(name) : name.toUpperCase()}: "${given}" is not one of ${known.join(', ')}`,
    ...(close !== undefined && { help: `Did you mean ${close}?` }),
  }
}

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`)

/** One line of figures. */
export interface Sample {
  readonly name: string
  /** As written, with its braces; empty without labels. */
  readonly labels: string
  readonly value: number
}

/** A page in text exposition format 0.0.4, and what is wrong with it. */
export interface Exposition {
  readonly samples: readonly Sample[]
  readonly faults: readonly string[]
}

const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`
const SAMPLE = new RegExp(
  String.raw`^([a-zA-Z_:][\w:]*)[ \t]*(\{[ \t]*(?:${LABEL}[ \t]*,[ \t]*)*(?:${LABEL}[ \t]*)?\})?[ \t]+(\S+)(?:[ \t]+-?\d+)?[ \t]*$`,
)
const NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|NaN|[+-]?Inf)$/i
const HELP = /^# HELP ([a-zA-Z_:][\w:]*)(?: .*)?$/
const TYPE = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/
/** What a histogram or summary adds to its name. */
const SUFFIX = /_(?:bucket|sum|count)$/

/** Reads a page of metrics line by line; a line that is at fault gives no sample. */
export function readExposition(text: string): Exposition {
  const faults: string[] = []
  const samples: Sample[] = []
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const seen = new Set<string>()
  const named = new Set<string>()
  if (!text.endsWith('\n')) faults.push('the last line has no line feed')
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const fault = (why: string) => faults.push(`line ${index + 1}: ${why}`)
    if (/^# ?HELP\b/.test(line)) {
      const name = HELP.exec(line)?.[1]
      if (name === undefined || helped.has(name)) fault('a HELP that is malformed or repeated')
      else helped.add(name)
    } else if (/^# ?TYPE\b/.test(line)) {
      const [, name = '', type = ''] = TYPE.exec(line) ?? []
      if (name === '' || types.has(name)) fault('a TYPE that is malformed or repeated')
      else if (named.has(name)) fault(`the TYPE of ${name} comes after its figures`)
      else types.set(name, type)
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
      const series = name + labels
      if (name === '' || !NUMBER.test(value)) fault('is not a figure')
      else if (seen.has(series)) fault(`${series} is repeated`)
      else {
        const sample = { name, labels, value: Number(value.replace(/inf$/i, 'Infinity')) }
        if (types.get(name) === 'counter' && !(sample.value >= 0)) fault('a counter below 0')
        samples.push(sample)
      }
      seen.add(series)
      named.add(name).add(name.replace(SUFFIX, ''))
    }
  }
  return { samples, faults }
}

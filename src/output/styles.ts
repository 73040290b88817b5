type Style = (text: string) => string

export interface Styles {
  readonly red: Style
  readonly yellow: Style
  readonly green: Style
  readonly blue: Style
  readonly cyan: Style
  readonly bold: Style
  readonly dim: Style
}

const plain: Style = (text) => text
const PLAIN: Styles = {
  red: plain,
  yellow: plain,
  green: plain,
  blue: plain,
  cyan: plain,
  bold: plain,
  dim: plain,
}

/** Colours, or none: then chalk is not even loaded. */
export async function stylesFor(colour: boolean): Promise<Styles> {
  if (!colour) return PLAIN
  const { Chalk } = await import('chalk')
  return new Chalk({ level: 1 })
}

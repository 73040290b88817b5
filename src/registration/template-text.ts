const LINE = 80

/** JSON as a person would write it: what fits on a line stands on one. */
export function templateText(value: unknown, indent = ''): string {
  const flat = onOneLine(value)
  if (!isContainer(value) || indent.length + flat.length <= LINE) return flat
  const inner = `${indent}  `
  const members = partsOf(value, (child) => templateText(child, inner))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${members.map((member) => `${inner}${member}`).join(',\n')}\n${indent}${close}`
}

function onOneLine(value: unknown): string {
  if (!isContainer(value)) return JSON.stringify(value)
  const members = partsOf(value, onOneLine).join(', ')
  return Array.isArray(value) ? `[${members}]` : `{ ${members} }`
}

function partsOf(value: object, textOf: (child: unknown) => string): string[] {
  if (Array.isArray(value)) return value.map(textOf)
  return Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .map(([key, child]) => `${JSON.stringify(key)}: ${textOf(child)}`)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

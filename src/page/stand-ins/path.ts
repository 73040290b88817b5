// The parts of node:path that the program uses, for the paths of `fs.ts`.

function normal(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.' && (part !== '..' || !path.startsWith('/')))
      parts.push(part)
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/') || '.'
}

export const sep = '/'
export const join = (...parts: string[]): string => normal(parts.filter(Boolean).join('/'))
export const resolve = (path: string): string => normal(path.startsWith('/') ? path : `/${path}`)
export const isAbsolute = (path: string): boolean => path.startsWith('/')
export const basename = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//, '')

export function dirname(path: string): string {
  const at = path.replace(/\/+$/, '').lastIndexOf('/')
  if (at > 0) return path.slice(0, at)
  return path.startsWith('/') ? '/' : '.'
}

export function relative(from: string, to: string): string {
  const [ours, theirs] = [resolve(from).split('/'), resolve(to).split('/')]
  const parted = ours.findIndex((part, at) => part !== theirs[at])
  const shared = parted === -1 ? ours.length : parted
  return [...ours.slice(shared).map(() => '..'), ...theirs.slice(shared)].join('/')
}

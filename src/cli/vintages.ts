import { join } from 'node:path'
import { uninterrupted } from './work.js'

/** Vintages are kept side by side in this folder unless --out says otherwise. */
export const VINTAGES = 'vintages'

export const WRITTEN_WORDS = {
  written: 'written',
  unchanged: 'unchanged',
  'dry-run': 'would write',
} as const
export type Written = keyof typeof WRITTEN_WORDS

/** Writes a vintage where it belongs, unless that is not wanted. */
export function written(
  args: { readonly out?: string | undefined; readonly 'dry-run': boolean },
  { vintage_id }: { readonly vintage_id: string },
  write: (folder: string) => 'written' | 'unchanged',
): { readonly folder: string; readonly outcome: Written } {
  const folder = args.out ?? join(VINTAGES, vintage_id)
  return { folder, outcome: args['dry-run'] ? 'dry-run' : uninterrupted(() => write(folder)) }
}

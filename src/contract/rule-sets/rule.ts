/** One observable rule of the specification, by the name that reports use. */
export interface Rule {
  /** Section of the specification, without the paragraph sign. */
  readonly section: string
  readonly title: string
  /** An example of what may be seen where it does not hold. */
  readonly seen: string
}

export const rule = (section: string, title: string, seen: string): Rule => ({
  section,
  title,
  seen,
})

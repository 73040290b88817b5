import type { Finding, Severity } from '../contract/findings/finding.js'

type Make = (code: string, pointer: string, args?: Finding['args']) => Finding

function maker(severity: Severity): Make {
  return (code, pointer, args = {}) => ({ code, severity, pointer, args })
}

export const error = maker('error')
export const warning = maker('warning')

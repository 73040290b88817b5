import { el } from './dom.js'

export function formatUsd(value: number): string {
  const digits = Math.abs(value) < 100 ? 2 : 0
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return `${value < 0 ? '\u2212' : ''}$${text}`
}

export function formatSignedPercent(value: number): string {
  const text = Math.abs(value).toFixed(2)
  return `${value < 0 ? '\u2212' : '+'}${text}\u2009%`
}

export function formatHours(count: number): string {
  return `${count} ${count === 1 ? 'hour' : 'hours'}`
}

/** Shows a moment in UTC as text; the element keeps the exact timestamp. */
export function timeElement(timestamp: string): HTMLElement {
  const at = new Date(timestamp)
  const text = at.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  })
  return el('time', { datetime: timestamp }, `${text} UTC`)
}

/** `5 minutes`, `3 hours`, `2 days`: no more precise than the reader needs. */
export function span(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 90) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const inHours = Math.round(seconds / 3600)
  return inHours < 48 ? formatHours(inHours) : `${Math.round(seconds / 86_400)} days`
}

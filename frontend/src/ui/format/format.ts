const Units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const
const BinaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

function scaled(value: number, step: number, units: readonly string[], locale: string): string {
  let unit = 0
  while (Math.abs(value) >= step * 0.9995 && unit < units.length - 1) {
    value /= step
    unit++
  }
  const digits = unit === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })}\u00a0${units[unit] ?? ''}`
}

/** Sizes of files: decimal, three digits: "14.2 GB". */
export function size(bytes: number, locale: string): string {
  return scaled(bytes, 1000, Units, locale)
}

/** Memory: binary, "90.0 MiB". */
export function memory(bytes: number, locale: string): string {
  return scaled(bytes, 1024, BinaryUnits, locale)
}

/** Rates of lines: "84.2 MB/s". */
export function rate(bytesPerSecond: number, locale: string): string {
  return `${scaled(bytesPerSecond, 1000, Units, locale)}/s`
}

/** A share of 0…1: "61 %". */
export function percent(share: number, locale: string): string {
  return share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })
}

/** A position in a film: "1:02:10" or "42:10". */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** How long something took: "38 ms", "4.2 s", "3 min". */
export function duration(seconds: number, locale: string): string {
  const [value, unit, digits] = seconds < 1 ? [seconds * 1000, 'millisecond', 0] as const
    : seconds < 60 ? [seconds, 'second', seconds < 10 ? 1 : 0] as const
    : seconds < 3600 ? [seconds / 60, 'minute', 0] as const
    : seconds < 86_400 ? [seconds / 3600, 'hour', seconds < 36_000 ? 1 : 0] as const
    : [seconds / 86_400, 'day', 0] as const
  return value.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits })
}

/** How long ago or ahead: "5 minutes ago", "in 40 seconds". */
export function relative(time: string, now: number, locale: string): string {
  const seconds = (Date.parse(time) - now) / 1000
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const far = Math.abs(seconds)
  if (far < 60) return format.format(Math.round(seconds), 'second')
  if (far < 3600) return format.format(Math.round(seconds / 60), 'minute')
  if (far < 86_400) return format.format(Math.round(seconds / 3600), 'hour')
  if (far < 30 * 86_400) return format.format(Math.round(seconds / 86_400), 'day')
  return format.format(Math.round(seconds / (30 * 86_400)), 'month')
}

/** A date with its time, as the locale writes it. */
export function dateTime(time: string, locale: string): string {
  return new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Splits a long name so that its middle can be cut and its end stays readable. */
export function middle(name: string, most: number): string {
  if (name.length <= most) return name
  const end = Math.floor(most / 3)
  return `${name.slice(0, most - end - 1)}…${name.slice(-end)}`
}

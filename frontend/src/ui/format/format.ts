import { perLocale } from './perLocale'

const Units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const
const BinaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

// Each row of a list formats a size, a date and an age: to make a formatter costs far more than to use it.
const plain = perLocale((locale) => new Intl.NumberFormat(locale))
const digitsOf = [0, 1, 2].map((digits) => perLocale((locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })))
const percents = perLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }))
const ages = perLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
const dates = perLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
const times = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }))
const lengths = (unit: string) => perLocale((locale) => {
  const [whole, tenths] = [0, 1].map((digits) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits })) as [Intl.NumberFormat, Intl.NumberFormat]
  return { whole, tenths }
})
const [milliseconds, secondsOf, minutes, hours, days] = [lengths('millisecond'), lengths('second'), lengths('minute'), lengths('hour'), lengths('day')]

function scaled(value: number, step: number, units: readonly string[], locale: string): string {
  let unit = 0
  while (Math.abs(value) >= step * 0.9995 && unit < units.length - 1) {
    value /= step
    unit++
  }
  const digits = unit === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${digitsOf[digits]?.(locale).format(value) ?? ''}\u00a0${units[unit] ?? ''}`
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

/** A number with its groups: "12,345". */
export function number(value: number, locale: string): string {
  return plain(locale).format(value)
}

/** Bytes sent for each byte fetched: "1.84". */
export function ratio(value: number, locale: string): string {
  return digitsOf[2]?.(locale).format(value) ?? ''
}

/** A share of 0…1: "61 %". */
export function percent(share: number, locale: string): string {
  return percents(locale).format(share)
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
  if (seconds < 1) return milliseconds(locale).whole.format(seconds * 1000)
  if (seconds < 60) return secondsOf(locale)[seconds < 10 ? 'tenths' : 'whole'].format(seconds)
  if (seconds < 3600) return minutes(locale).whole.format(seconds / 60)
  if (seconds < 86_400) return hours(locale)[seconds < 36_000 ? 'tenths' : 'whole'].format(seconds / 3600)
  return days(locale).whole.format(seconds / 86_400)
}

/** How long ago or ahead: "5 minutes ago", "in 40 seconds". */
export function relative(time: string, now: number, locale: string): string {
  const seconds = (Date.parse(time) - now) / 1000
  const format = ages(locale)
  const far = Math.abs(seconds)
  if (far < 60) return format.format(Math.round(seconds), 'second')
  if (far < 3600) return format.format(Math.round(seconds / 60), 'minute')
  if (far < 86_400) return format.format(Math.round(seconds / 3600), 'hour')
  if (far < 30 * 86_400) return format.format(Math.round(seconds / 86_400), 'day')
  return format.format(Math.round(seconds / (30 * 86_400)), 'month')
}

/** A date with its time, as the locale writes it. */
export function dateTime(time: string, locale: string): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(date) : dates(locale).format(date)
}

/** The time of a day with its seconds, as the locale writes it. */
export function timeOfDay(time: string, locale: string): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(date) : times(locale).format(date)
}

/** Splits a long name so that its middle can be cut and its end stays readable. */
export function middle(name: string, most: number): string {
  if (name.length <= most) return name
  const end = Math.floor(most / 3)
  return `${name.slice(0, most - end - 1)}…${name.slice(-end)}`
}

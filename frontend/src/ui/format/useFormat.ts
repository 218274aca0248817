import { useMemo } from 'react'
import { useLanguage } from '../text/language'
import * as format from './format'

/** Everything in `format`, in the locale of the page. */
export function useFormat() {
  const { locale } = useLanguage()
  return useMemo(() => ({
    size: (bytes: number) => format.size(bytes, locale),
    memory: (bytes: number) => format.memory(bytes, locale),
    rate: (bytesPerSecond: number) => format.rate(bytesPerSecond, locale),
    ratio: (value: number) => format.ratio(value, locale),
    percent: (share: number) => format.percent(share, locale),
    duration: (seconds: number) => format.duration(seconds, locale),
    relative: (time: string, now: number) => format.relative(time, now, locale),
    dateTime: (time: string) => format.dateTime(time, locale),
    timeOfDay: (time: string) => format.timeOfDay(time, locale),
    number: (value: number) => format.number(value, locale),
    clock: format.clock,
    middle: format.middle,
  }), [locale])
}

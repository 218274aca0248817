import { describe, expect, it, vi } from 'vitest'
import { clock, dateTime, duration, middle, number, rate, ratio, relative, size, timeOfDay } from './format'
import { perLocale } from './perLocale'

const nbsp = '\u00a0'

describe('size', () => {
  it('keeps three digits and picks the unit before it would show 1000', () => {
    expect(size(0, 'en')).toBe(`0${nbsp}B`)
    expect(size(999, 'en')).toBe(`999${nbsp}B`)
    expect(size(999_999, 'en')).toBe(`1.00${nbsp}MB`)
    expect(size(14_240_000_000, 'en')).toBe(`14.2${nbsp}GB`)
    expect(size(14_240_000_000, 'de')).toBe(`14,2${nbsp}GB`)
  })

  it('writes a ratio with two digits', () => {
    expect([ratio(0, 'en'), ratio(1.844, 'en'), ratio(12.345678, 'de')]).toEqual(['0.00', '1.84', '12,35'])
  })

  it('writes a rate per second', () => {
    expect(rate(84_200_000, 'en')).toBe(`84.2${nbsp}MB/s`)
  })
})

describe('times', () => {
  it('writes positions with hours only where there are some', () => {
    expect(clock(2530)).toBe('42:10')
    expect(clock(3730)).toBe('1:02:10')
    expect(clock(-1)).toBe('0:00')
  })

  it('picks a unit for durations', () => {
    expect(duration(0.038, 'en')).toBe('38 ms')
    expect(duration(4.2, 'en')).toBe('4.2 sec')
    expect(duration(180, 'en')).toBe('3 min')
  })

  it('writes dates and times as the locale does', () => {
    const noon = new Date(2026, 10, 22, 12, 0, 5).toISOString()
    expect([dateTime(noon, 'en-GB'), dateTime(noon, 'de'), timeOfDay(noon, 'en-GB'), number(12345, 'de')]).toEqual(['22 Nov 2026, 12:00', '22.11.2026, 12:00', '12:00:05', '12.345'])
    expect(dateTime('none', 'en')).toBe('Invalid Date')
  })

  it('are written by formatters that are made once for each locale', () => {
    const make = vi.fn((locale: string) => new Intl.NumberFormat(locale))
    const of = perLocale(make)
    expect(['fr', 'de', 'fr', 'de'].map((locale) => of(locale).resolvedOptions().locale)).toEqual(['fr', 'de', 'fr', 'de'])
    expect(make).toHaveBeenCalledTimes(2)
  })

  it('tells how long ago', () => {
    const now = Date.parse('2026-11-22T12:00:00Z')
    expect(relative('2026-11-22T11:55:00Z', now, 'en')).toBe('5 minutes ago')
    expect(relative('2026-11-22T12:00:40Z', now, 'en')).toBe('in 40 seconds')
  })
})

describe('middle', () => {
  it('keeps the end of a long name', () => {
    expect(middle('Some.Show.S01E02.2160p.WEB.H265-GROUP.mkv', 24)).toBe('Some.Show.S01E0…ROUP.mkv')
    expect(middle('short.mkv', 24)).toBe('short.mkv')
  })
})

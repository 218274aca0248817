import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot, { type AlignedData, type Options } from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { perLocale } from '../format/perLocale'
import { useLanguage } from '../text/language'
import { topOf } from './axis'
import classes from './chart.module.css'

/** Seconds that it shows at least: a few values over the whole width would look like a trend. */
const Shortest = 300

/** Pixels between two times on the axis: "10:00:00 PM" is the longest. */
const Space = 96

/** One line; `color` is a custom property of the theme: "--nz-line-0". */
export type Line = { label: string; color: string }

type Props = {
  /** What it shows; the figures stand in a table beside it. */
  label: string
  lines: readonly Line[]
  /** Seconds since 1970, then the values of each line. A new array is drawn at once. */
  data: AlignedData
  format: (value: number) => string
  /** What the vertical axis reaches to at least: smaller values would only be noise, and its marks would all read alike. */
  least?: number
  height?: number
}

/** A chart of lines over time. Load it lazily: it brings uPlot. Follows the colours of the scheme and the width of its place. */
export default function LineChart({ label, lines, data, format, least = 1, height = 160 }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef({ data, format })
  const { colorScheme } = useMantineColorScheme()
  const { locale } = useLanguage()
  const shape = lines.map((line) => `${line.color} ${line.label}`).join('\n')

  useEffect(() => {
    latest.current = { data, format }
    if (!document.hidden && plot.current !== null && plot.current.series.length === data.length) plot.current.setData(data)
  }, [data, format])

  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const made = new uPlot(options(shape, element.clientWidth, height, least, locale, (value) => latest.current.format(value)), latest.current.data, element)
    plot.current = made
    const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    // The system's scheme may change while the page is set to follow it.
    const system = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => requestAnimationFrame(() => made.redraw(false))
    system.addEventListener('change', redraw)
    return () => {
      system.removeEventListener('change', redraw)
      sizes.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [shape, height, least, locale])

  useEffect(() => {
    const frame = requestAnimationFrame(() => plot.current?.redraw(false))
    return () => cancelAnimationFrame(frame)
  }, [colorScheme])

  return <div ref={place} className={classes.chart} role="img" aria-label={label} style={{ height }} />
}

function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

const minutes = perLocale((locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }))
const exactly = perLocale((locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' }))

function clock(seconds: number, locale: string, exact: boolean): string {
  return (exact ? exactly : minutes)(locale).format(seconds * 1000)
}

function options(shape: string, width: number, height: number, least: number, locale: string, format: (value: number) => string): Options {
  const axis = { stroke: () => color('--mantine-color-dimmed'), grid: { stroke: () => color('--nz-hairline'), width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif' }
  return {
    width, height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    padding: [8, 20, 0, 0],
    scales: { x: { range: (_, first, last) => [Math.min(first, last - Shortest), last] }, y: { range: (_, __, most) => [0, topOf(most, least)] } },
    axes: [
      { ...axis, size: 24, space: Space, values: (_, ticks, __, ___, step) => ticks.map((tick) => clock(tick, locale, step < 60)) },
      { ...axis, size: 72, values: (_, ticks) => ticks.map(format) },
    ],
    series: [{}, ...shape.split('\n').filter((line) => line !== '').map((line) => {
      const [name = '', ...label] = line.split(' ')
      return { label: label.join(' '), stroke: () => color(name), width: 1.5, points: { show: false } }
    })],
  }
}

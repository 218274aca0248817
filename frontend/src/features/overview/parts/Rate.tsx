import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { piece } from '~/api/chunks/piece'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { useRates } from '../useRates'
import classes from './parts.module.css'

const LineChart = piece(() => import('~/ui/chart/LineChart'))

/** Bytes a second that the chart reaches to at least. */
const LeastRate = 1_000_000

const waiting = <Skeleton h={160} />

/** What flows now, and the last hour by provider: as a chart, and as figures for all. */
export function Rate({ rate }: { rate: number | undefined }) {
  const t = useText(text)
  const format = useFormat()
  const rates = useRates()
  return (
    <section className={classes.card} aria-labelledby="rate">
      <h2 id="rate" className={classes.rate}>
        {rate === undefined ? <Skeleton w={160} h={34} /> : <>{format.rate(rate)}<span className={classes.rateNow}>{t.now}</span></>}
      </h2>
      <div className={classes.chart}>
        {rates === null ? waiting : <Suspense fallback={waiting}><LineChart label={t.chart} lines={rates.lines} data={rates.data} format={format.rate} least={LeastRate} /></Suspense>}
      </div>
      <table className={classes.figures}>
        <caption className="visually-hidden">{t.lastHour}</caption>
        <thead><tr><th scope="col">{t.lastHour}</th><th scope="col">{t.rateNow}</th><th scope="col">{t.mean}</th><th scope="col">{t.peak}</th></tr></thead>
        <tbody>
          {rates?.lines.map((line) => (
            <tr key={line.name}>
              <th scope="row"><span className={classes.swatch} style={{ background: `var(${line.color})` }} />{line.name === 'torrents.down' ? t.torrents : line.label}</th>
              <td>{format.rate(line.now)}</td><td>{format.rate(line.mean)}</td><td>{format.rate(line.peak)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

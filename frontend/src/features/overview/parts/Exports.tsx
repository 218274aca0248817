import { Text, Title } from '@mantine/core'
import type { Status } from '~/api/types'
import { type Shown, StateBadge } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './parts.module.css'

type Export = Status['exports'][number]

const shown: Record<Export['state'], Shown> = { waiting: 'queued', current: 'done', incomplete: 'waiting', failed: 'failed' }

/** The folders of small files that are kept in step with categories; nothing where none is set. */
export function Exports({ exports }: { exports: Status['exports'] }) {
  const t = useText(text)
  if (exports.length === 0) return null
  return (
    <section className={classes.card} aria-labelledby="exports">
      <Title order={2} id="exports" mb="xs">{t.exports}</Title>
      <ul className={classes.plain}>
        {exports.map((one) => (
          <li key={one.folder} className={classes.export}>
            <span className={classes.exportName}>{one.category}</span>
            <StateBadge state={shown[one.state]}>{t.exportStates[one.state]}</StateBadge>
            <span className={classes.small}>{one.folder}</span>
            <span className={classes.small}>{[t.exportKinds[one.kind], one.details && t.exportDetails, one.files !== null && t.exportFiles(one.files)].filter(Boolean).join(' · ')}</span>
            {one.reason !== null && <Text size="sm" role="status" className={classes.exportReason}>{one.state === 'failed' ? t.exportRetried(one.reason) : one.reason}</Text>}
          </li>
        ))}
      </ul>
    </section>
  )
}

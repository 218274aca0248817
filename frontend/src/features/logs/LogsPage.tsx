import { Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { LogLine } from '~/api/types'
import { PageTitle } from '~/ui/PageTitle'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { Filters } from './Filters'
import { LineDetail } from './LineDetail'
import { LineList } from './LineList'
import { LevelsButton } from './LevelsButton'
import classes from './Logs.module.css'
import { SupportMenu } from './SupportMenu'
import { categoriesOf } from './tail'
import { text } from './text'
import { useTail } from './useTail'

const Levels: readonly LogLine['level'][] = ['trace', 'debug', 'information', 'warning', 'error', 'critical']

/** What happened? */
export default function LogsPage() {
  const t = useText(text)
  const search: Partial<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate({ from: '/logs' })
  const filter = { level: Levels.find((level) => level === search.level) ?? 'trace', search: search.q ?? '', category: search.category ?? '' }
  const [follow, setFollow] = useState(true)
  const [chosen, setChosen] = useState<number | null>(null)
  const { lines, error, refetch } = useTail(filter, follow)
  const line = lines?.find((each) => each.id === chosen)
  return (
    <>
      <PageTitle title={t.title}><LevelsButton /><SupportMenu /></PageTitle>
      <Filters levels={Levels} filter={filter} categories={categoriesOf(lines ?? [])} follow={follow} onFollow={setFollow}
        onChange={(next) => void navigate({ search: { level: next.level === 'trace' ? undefined : next.level, q: next.search || undefined, category: next.category || undefined }, replace: true, resetScroll: false })} />
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {lines === undefined && error === null && <Loading rows={12} height={24} />}
      {lines?.length === 0 && <Empty title={t.none}><Text c="dimmed">{t.noneHint}</Text></Empty>}
      {lines !== undefined && lines.length > 0 && (
        <div className={classes.lines}>
          <LineList lines={lines} chosen={chosen} onChoose={setChosen} follow={follow} onFollow={setFollow} />
          <Text size="xs" c="dimmed" mt={4}>{t.shown(lines.length)}</Text>
          {line !== undefined && <LineDetail line={line} onClose={() => setChosen(null)} />}
        </div>
      )}
    </>
  )
}

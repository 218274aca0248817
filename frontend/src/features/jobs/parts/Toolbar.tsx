import { Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queueQuery } from '~/api/queries'
import type { JobCounts } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { kinds, states, type JobFilter } from '../list/filter'
import { text } from '../text'
import classes from './parts.module.css'

type Props = { filter: JobFilter; counts: JobCounts | undefined; onFilter: (change: Partial<JobFilter>) => void }

/** What the list shows: by text, state, kind, category. */
export function Toolbar({ filter, counts, onFilter }: Props) {
  const t = useText(text)
  const format = useFormat()
  const categories = useQuery(queueQuery).data?.categories ?? []
  const [typed, setTyped] = useState(filter.search)
  const [kept, setKept] = useState(filter.search)
  const later = useDebouncedCallback((search: string) => onFilter({ search }), 200)
  // Back, or "show all", has changed it.
  if (kept !== filter.search) {
    setKept(filter.search)
    setTyped(filter.search)
  }
  const sum = counts === undefined ? undefined : Object.values(counts).reduce((all, count) => all + count, 0)
  const toggle = (state: (typeof states)[number]) =>
    onFilter({ states: filter.states.includes(state) ? filter.states.filter((one) => one !== state) : [...filter.states, state] })
  return (
    <div className={classes.toolbar}>
      <TextInput className={classes.search} type="search" aria-label={t.search} placeholder={t.search} value={typed} data-page-search leftSection={<IconSearch size={16} aria-hidden />}
        onChange={(event) => { setTyped(event.currentTarget.value); later(event.currentTarget.value) }}
        onKeyDown={(event) => { if (event.key === 'Escape' && typed !== '') { event.stopPropagation(); setTyped(''); onFilter({ search: '' }) } }} />
      <div className={classes.chips} role="group" aria-label={t.columns.state}>
        <button type="button" className={classes.chip} aria-pressed={filter.states.length === 0} onClick={() => onFilter({ states: [] })}>
          {t.all}{sum !== undefined && <span className={classes.chipCount}>{format.number(sum)}</span>}
        </button>
        {states.map((state) => (
          <button key={state} type="button" className={classes.chip} aria-pressed={filter.states.includes(state)} onClick={() => toggle(state)}>
            {t.states[state]}{counts !== undefined && <span className={classes.chipCount}>{format.number(counts[state])}</span>}
          </button>
        ))}
      </div>
      <Select className={classes.choice} size="xs" aria-label={t.category} placeholder={t.anyCategory} data={categories} value={filter.category} clearable onChange={(category) => onFilter({ category })} />
      <Select className={classes.choice} size="xs" aria-label={t.kind} placeholder={t.anyKind} data={kinds.map((kind) => ({ value: kind, label: t.kinds[kind] }))} value={filter.kind} clearable onChange={(kind) => onFilter({ kind })} />
    </div>
  )
}

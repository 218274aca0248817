import { Autocomplete, Select, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { LogLine } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import type { LogFilter } from './calls'
import classes from './Logs.module.css'
import { text } from './text'

type Props = { levels: readonly LogLine['level'][]; filter: LogFilter; categories: readonly string[]; follow: boolean; onFollow: (follow: boolean) => void; onChange: (filter: LogFilter) => void }

/** Which lines are shown, and whether new ones are followed. */
export function Filters({ levels, filter, categories, follow, onFollow, onChange }: Props) {
  const t = useText(text)
  const [search, setSearch] = useState(filter.search)
  const [category, setCategory] = useState(filter.category)
  const later = useDebouncedCallback(onChange, 200)
  return (
    <div className={classes.filters}>
      <Select w={150} aria-label={t.level} allowDeselect={false} data={levels.map((value) => ({ value, label: value === 'trace' ? t.anyLevel : t.levels[value] }))} value={filter.level} onChange={(level) => onChange({ level: level as LogLine['level'], search, category })} />
      <TextInput className={classes.search} type="search" aria-label={t.search} placeholder={t.search} leftSection={<IconSearch size={16} aria-hidden />} value={search}
        onChange={(event) => { setSearch(event.currentTarget.value); later({ ...filter, category, search: event.currentTarget.value }) }} />
      <Autocomplete className={classes.search} aria-label={t.category} placeholder={t.anyCategory} data={[...categories]} limit={50} value={category} clearable
        onChange={(value) => { setCategory(value); later({ ...filter, search, category: value }) }} />
      <Switch label={t.follow} checked={follow} onChange={(event) => onFollow(event.currentTarget.checked)} />
    </div>
  )
}

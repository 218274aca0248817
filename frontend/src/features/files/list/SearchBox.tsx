import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

type Props = { value: string; onSearch: (query: string) => void }

/** Searches names over all folders; the slash key leads here. */
export function SearchBox({ value, onSearch }: Props) {
  const t = useText(text)
  const field = useRef<HTMLInputElement>(null)
  // "Back" changes the address without typing; what was typed since a search began stays.
  const [{ typed, from, sent }, setState] = useState({ typed: value, from: value, sent: value })
  if (value !== from) setState({ typed: value === sent ? typed : value, from: value, sent: value })
  const later = useDebouncedCallback((query: string) => {
    setState((before) => ({ ...before, sent: query }))
    onSearch(query)
  }, 200)
  useHotkeys([['/', () => field.current?.focus()]])
  const type = (now: string) => {
    setState((before) => ({ ...before, typed: now }))
    later(now.trim())
  }
  return (
    <TextInput ref={field} type="search" w={{ base: '100%', sm: 280 }} aria-label={t.search} placeholder={t.search} title={t.searchHint} value={typed} leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label={t.clear} onClick={() => type('')} />}
      onChange={(event) => type(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === 'Escape' && typed !== '') type('') }} />
  )
}

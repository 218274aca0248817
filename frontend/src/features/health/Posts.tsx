import { Button, Chip, Group, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useFormat } from '~/ui/format/useFormat'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { postsQuery } from './calls'
import classes from './Health.module.css'
import { PostItem } from './PostItem'
import { text } from './text'

const Attention = 'suspect,missing,givenUp'
const Verdicts = ['suspect', 'missing', 'givenUp', 'repaired', 'replaced', 'new', 'healthy']

/** Posts by how they are, those that need a look first. */
export function Posts({ counts, change, manage }: { counts: Record<string, number>; change: boolean; manage: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow(60_000)
  const { q = '', verdict = Attention }: Partial<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate({ from: '/checks' })
  const [search] = useDebouncedValue(q, 250)
  const wanted = verdict === 'all' ? '' : verdict
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({ ...postsQuery(wanted, search), placeholderData: keepPreviousData })
  const set = (part: { q?: string; verdict?: string }) => void navigate({ search: { q: q || undefined, verdict: verdict === Attention ? undefined : verdict, ...part }, replace: true, resetScroll: false })
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const look = Attention.split(',').reduce((sum, each) => sum + (counts[each] ?? 0), 0)
  const posts = data?.pages.flatMap((page) => page.posts) ?? []
  return (
    <section aria-label={t.posts}>
      <Title order={2}>{t.posts}</Title>
      <div className={classes.filters}>
        <TextInput flex="1 1 220px" maw={360} type="search" aria-label={t.filter} placeholder={t.filter} leftSection={<IconSearch size={16} aria-hidden />} value={q} onChange={(event) => set({ q: event.currentTarget.value || undefined })} />
        <Chip.Group value={verdict} onChange={(value) => set({ verdict: value === Attention ? undefined : value })}>
          <Group gap={6}>
            <Chip value={Attention}>{t.attention} {format.number(look)}</Chip>
            <Chip value="all">{t.all} {format.number(all)}</Chip>
            {Verdicts.filter((each) => (counts[each] ?? 0) > 0).map((each) => <Chip key={each} value={each}>{t.verdicts[each]} {format.number(counts[each] ?? 0)}</Chip>)}
          </Group>
        </Chip.Group>
      </div>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={4} height={64} />}
      {data !== undefined && posts.length === 0 && (verdict === Attention && q === '' ? <Empty title={t.empty}><Text c="dimmed">{t.emptyHint}</Text></Empty> : <Empty title={t.nothing} />)}
      <ul className={classes.list}>{posts.map((post) => <PostItem key={post.id} post={post} now={now} change={change} manage={manage} />)}</ul>
      {hasNextPage && <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>{t.more}</Button>}
    </section>
  )
}

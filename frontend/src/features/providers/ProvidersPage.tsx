import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconPlus } from '@tabler/icons-react'
import { Text } from '@mantine/core'
import { providersQuery } from '~/api/queries'
import { useRights, useSession } from '~/api/session'
import { LinkButton } from '~/ui/LinkButton'
import { PageTitle } from '~/ui/PageTitle'
import { Empty } from '~/ui/state/Empty'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { Earnings } from './Earnings'
import { inOrder } from './figures'
import { ProviderCard } from './ProviderCard'
import { ProviderDrawer } from './ProviderDrawer'
import classes from './Providers.module.css'
import { text } from './text'

/** Does each provider work, and does it earn its money? */
export default function ProvidersPage() {
  const t = useText(text)
  const manage = useRights()('manage')
  // Its provider is no setting: it cannot be edited.
  const isDemo = useSession()?.demo === true
  const { edit }: Partial<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate({ from: '/providers' })
  const { data, error, refetch } = useQuery(providersQuery)
  const providers = inOrder(data?.providers ?? [])
  const add = manage && <LinkButton to="/providers" search={{ edit: 'new' }} resetScroll={false} leftSection={<IconPlus size={16} aria-hidden />}>{t.add}</LinkButton>
  return (
    <>
      <PageTitle title={t.title}>{add}</PageTitle>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={3} height={140} />}
      {data !== undefined && providers.length === 0 && <Empty title={t.none}><Text c="dimmed">{manage ? t.noneHint : t.noneViewer}</Text>{add}</Empty>}
      {providers.length > 0 && (
        <>
          {isDemo && <Text mb="sm">{t.demo}</Text>}
          <ul className={classes.cards}>{providers.map((provider) => <ProviderCard key={provider.number} provider={provider} mayEdit={manage && !isDemo} />)}</ul>
          <Earnings providers={providers} />
        </>
      )}
      {manage && edit !== undefined && <ProviderDrawer key={edit} edit={edit} onClose={() => void navigate({ search: {}, resetScroll: false })} />}
    </>
  )
}

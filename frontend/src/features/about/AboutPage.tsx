import { useQuery } from '@tanstack/react-query'
import { PageTitle } from '~/ui/PageTitle'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { aboutQuery } from './calls'
import { Changes } from './Changes'
import { Facts } from './Facts'
import { Licences } from './Licences'
import { text } from './text'

/** What runs here, what is new in it, and what it is made of. */
export default function AboutPage() {
  const t = useText(text)
  const { data, error, refetch } = useQuery(aboutQuery)
  return (
    <>
      <PageTitle title={t.title} />
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && <><Facts about={data} /><Changes changes={data.changes} /><Licences licences={data.licences} /></>}
    </>
  )
}

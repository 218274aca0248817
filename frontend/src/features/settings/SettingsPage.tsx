import { useSettings } from '~/api/settings'
import { PageTitle } from '~/ui/PageTitle'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { FileMenu } from './FileMenu'
import { SettingsForm } from './SettingsForm'
import { text } from './text'

/** What does this do, and what is it set to? */
export default function SettingsPage() {
  const t = useText(text)
  const { data, error, refetch } = useSettings()
  return (
    <>
      <PageTitle title={t.title}>{data !== undefined && <FileMenu />}</PageTitle>
      {error !== null && data === undefined && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={8} height={72} />}
      {data !== undefined && <SettingsForm answer={data} />}
    </>
  )
}

import { Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { fileDetails } from '~/api/files'
import { LinkButton } from '~/ui/LinkButton'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { useVerdict } from './judging/useVerdict'
import { Offer, Players } from './notes/Offer'
import classes from './screen/screen.module.css'
import { Screen } from './screen/Screen'
import { text } from './text'

/** Plays one file here, or says at once why not and who can. */
export default function PlayerPage(): ReactNode {
  const { id } = useParams({ from: '/play/$id' })
  return <Film key={id} id={id} />
}

function Film({ id }: { id: string }) {
  const t = useText(text)
  // Events of the folder read the list anew, not what plays.
  const { data: file, error, refetch } = useQuery({ ...fileDetails(id), staleTime: Infinity })
  const { verdict, container } = useVerdict(file)
  const [anyway, setAnyway] = useState(false)
  useEffect(() => {
    if (file !== undefined) document.title = `${file.name} - NzbDav`
  }, [file])
  if (error !== null && file === undefined) return <ErrorNote error={error} retry={() => void refetch()}><LinkButton to="/files" size="compact-sm" variant="default">{t.toFiles}</LinkButton></ErrorNote>
  if (file === undefined) return <Loading rows={8} />
  const folder = file.path.slice(0, -file.name.length - 1)
  // What nobody can tell is tried: that tells.
  const refused = verdict != null && verdict.outcome !== 'plays' && verdict.because !== 'unknown'
  const offered = verdict !== undefined && refused && !anyway
  return (
    <div>
      <div className={classes.head}>
        <LinkButton to="/files" search={{ path: folder, selected: id }} variant="subtle" px={8} aria-label={t.back(folder)}><IconArrowLeft size={20} aria-hidden /></LinkButton>
        <Title order={1}>{file.name}</Title>
        {!offered && <Players file={file} />}
      </div>
      {verdict === undefined && <Loading rows={8} />}
      {offered && <Offer file={file} verdict={verdict} container={container} onTry={() => setAnyway(true)} />}
      {verdict !== undefined && !offered && <Screen file={file} />}
      {verdict?.slow === true && <Text className={classes.foot} c="dimmed"><IconAlertTriangle size={16} aria-hidden />{t.verdict.slow}</Text>}
      <div className={classes.foot}>
        {file.previous !== null && <LinkButton variant="default" to="/play/$id" params={{ id: file.previous.id }}>{t.previous}: {file.previous.name}</LinkButton>}
        {file.next !== null && <LinkButton variant="default" to="/play/$id" params={{ id: file.next.id }}>{t.next}: {file.next.name}</LinkButton>}
      </div>
    </div>
  )
}

import { Alert } from '@mantine/core'
import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { torrentNetwork } from '~/api/torrents'
import { Pane } from '~/ui/pane/Pane'
import { useText } from '~/ui/text/catalogue'
import { NetworkFacts } from './NetworkFacts'
import { text } from '../text'

/** How torrents reach their peers and are reached; what is wrong with that comes first, in the server's words. */
export function NetworkPane({ onClose }: { onClose: () => void }) {
  const t = useText(text)
  const query = useQuery(torrentNetwork)
  const network = query.data
  return (
    <Pane title={t.network} query={query} onClose={onClose}>
      {network !== undefined && (
        <>
          {network.trouble !== null && <Alert variant="light" color="red" icon={<IconAlertOctagon aria-hidden />} title={t.blockedTitle}><span lang="en">{network.trouble}</span></Alert>}
          {network.mappingTrouble !== null && <Alert variant="light" color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t.unreachable}><span lang="en">{network.mappingTrouble}</span></Alert>}
          <NetworkFacts network={network} />
        </>
      )}
    </Pane>
  )
}

import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { queueQuery } from '~/api/queries'
import { defineText, useText } from '~/ui/text/catalogue'

const text = defineText({ notDone: 'Not done' }, { notDone: 'Nicht ausgeführt' })

/** Holds the queue or lets it go on, and limits all providers together (bytes a second; 0: no limit). Says so when the server refuses. */
export function useQueueChange() {
  const t = useText(text)
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { paused?: boolean; pauseSeconds?: number | null; speedLimit?: number }) => take(api.PUT('/api/v1/queue', { body })),
    onSuccess: (answer) => client.setQueryData(queueQuery.queryKey, answer),
    onError: (error) => notifications.show({ color: 'red', autoClose: false, role: 'alert', title: t.notDone, message: error.message }),
  })
}

import { queryOptions, useMutation } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import type { Provider, ProviderTest, ProviderVerdict } from '~/api/types'

/** The providers as they are now; the live stream keeps it current. */
export const providersQuery = queryOptions({ queryKey: keys.providers, queryFn: (): Promise<{ providers: Provider[] }> => take(api.GET('/api/v1/providers')) })

/** Tests values that are not saved yet. */
export function useProviderTest() {
  return useMutation({ mutationFn: (body: ProviderTest): Promise<ProviderVerdict> => take(api.POST('/api/v1/providers/test', { body })) })
}

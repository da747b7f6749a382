import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryClientConfig,
  type QueryFilters,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * A query client in which a change is never hidden by a response that was requested before it: requests of the changed queries
 * that are in flight are sent again. TanStack Query does so only for the refetch of an active query that has data
 * (https://github.com/TanStack/query/issues/8530).
 */
export class CurrentQueryClient extends QueryClient {
  constructor(config?: QueryClientConfig) {
    super(config)
    const { setQueryData } = this
    // An assignment keeps the type of the library's method, whose type parameters an override would have to repeat.
    this.setQueryData = ((...given: Parameters<typeof setQueryData>) => {
      this.#sendAgain({ queryKey: given[0], exact: true })
      return setQueryData.apply(this, given)
    }) as typeof setQueryData
  }

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ) {
    this.#sendAgain(filters)
    // What was in flight has just been sent again, which is enough.
    return super.invalidateQueries(filters, { ...options, cancelRefetch: false })
  }

  #sendAgain(filters?: QueryFilters) {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      query.cancel({ silent: true })
      // Whoever waits for the first request now waits for this one. Its error is in the state of the query.
      query.fetch().catch(() => undefined)
    }
  }
}

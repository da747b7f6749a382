import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryClientConfig,
  type QueryFilters,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * A query client that sends a request again if its query is changed or invalidated while the request is in flight. Otherwise, a
 * response from before the change could replace the changed data. TanStack Query does so only when an active query that has data
 * is invalidated (https://github.com/TanStack/query/issues/8530).
 */
export class RestartingQueryClient extends QueryClient {
  constructor(config?: QueryClientConfig) {
    super(config)
    const { setQueryData } = this
    // An assignment keeps the type of the library's method, whose type parameters an override would have to repeat.
    this.setQueryData = ((...given: Parameters<typeof setQueryData>) => {
      this.#restart({ queryKey: given[0], exact: true })
      return setQueryData.apply(this, given)
    }) as typeof setQueryData
  }

  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ) {
    this.#restart(filters)
    // What was in flight has just been sent again, which is enough.
    return super.invalidateQueries(filters, { ...options, cancelRefetch: false })
  }

  #restart(filters?: QueryFilters) {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      query.cancel({ silent: true })
      // The promise of the cancelled request settles with this one. An error is stored in the query's state.
      query.fetch().catch(() => undefined)
    }
  }
}

import { createContext, useContext } from 'react'

export type View = 'read' | 'code' | 'results'

/** Shows another view of the split page. It has an effect on narrow screens only, which show one view at a time. */
export const ViewContext = createContext<(view: View) => void>(() => undefined)
export const useShowView = () => useContext(ViewContext)

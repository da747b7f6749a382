/**
 * Sentences about the code that is submitted for candidates at the end. An item without submissions left takes no more code, so
 * the sentences mention that if an item of the assessment limits submissions.
 */
import type { ItemCard, Participation } from '../requests'
import { itemsOf } from './itemStates'

const limitsSubmissions = (found: Participation): boolean =>
  itemsOf(found).some(item => item.submissions_left !== null)

export const describeWhatCounts = (found: Participation): string =>
  limitsSubmissions(found)
    ? 'Everything you submit counts, and so does the code that you leave in an editor, if a submission is left for its item.'
    : 'Everything you submit or leave in an editor counts.'

export const describeWhatWasSubmitted = (found: Participation): string =>
  limitsSubmissions(found)
    ? 'The latest code in each editor was submitted, unless you had already submitted it or had no submissions left for its item.'
    : 'The latest code in each editor was submitted, unless you had already submitted it.'

/** Items whose editors can still be changed, although nothing more can be submitted. */
export const usedUpItems = (found: Participation): ItemCard[] =>
  itemsOf(found).filter(item => item.submissions_left === 0 && !item.handed_in_at)

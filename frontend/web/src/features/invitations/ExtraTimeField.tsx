import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { FACTORS, INVALID_EXTRA_TIME, toExtraTime } from './model/extraTime'

interface Props extends Omit<AutocompleteProps, 'value' | 'onChange' | 'data' | 'error'> {
  value: string
  change: (written: string) => void
}

/** A field for extra time: minutes, or a factor from the list. */
export function ExtraTimeField({ value, change, ...rest }: Props) {
  return (
    <Autocomplete
      {...rest}
      data={FACTORS}
      // Always offer all options, whatever the current text is.
      filter={({ options }) => options}
      value={value}
      onChange={change}
      placeholder="15 min or ×1.5"
      maxLength={12}
      error={toExtraTime(value) ? undefined : INVALID_EXTRA_TIME}
    />
  )
}

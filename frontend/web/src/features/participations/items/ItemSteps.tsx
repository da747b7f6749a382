import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import css from '../Participation.module.css'
import type { Participation } from '../requests'
import { stateOf } from './itemStates'

/** All items in a row, with their states. */
export function ItemSteps({ found, present }: { found: Participation; present: number }) {
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another item is shown
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [present])
  return (
    <nav ref={nav} className={css.bar} aria-label="Items">
      <Link to="/participation">All items</Link>
      {found.sections.map(section => (
        <span key={section.key} className={css.group}>
          <span>{section.title}</span>
          {section.items.map(item => {
            const state = stateOf(item, found)
            return (
              <Link
                key={item.position}
                to={`/participation/${item.position}`}
                className={css.step}
                title={`${item.title}: ${state.word}`}
                aria-current={item.position === present ? 'step' : undefined}
              >
                <span>{item.position}</span>
                {state.sign && <span aria-hidden="true">{state.sign}</span>}
                <VisuallyHidden>
                  : {item.title}, {state.word}
                </VisuallyHidden>
              </Link>
            )
          })}
        </span>
      ))}
    </nav>
  )
}

import type { Schemas } from '@/api/client'
import css from './Profile.module.css'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Badges with the reasons they were awarded. The icon is the steps of the site's logo. */
export function Badges({ items }: { items: Schemas['BadgeView'][] }) {
  return (
    <ul className={css.badges}>
      {items.map(each => (
        <li key={each.id} className={css.badge}>
          <svg width="34" height="34" viewBox="0 0 34 34" aria-hidden="true">
            <circle cx="17" cy="17" r="16" fill="#ffb020" />
            <path
              d="M8.5 23.5h5v-5h5v-5h6.5"
              fill="none"
              stroke="#19307a"
              strokeWidth="2.8"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          <div>
            <b className={css.badgeTitle}>{each.title}</b>
            <p>{each.reason}</p>
            <time dateTime={each.at}>{day.format(new Date(each.at))}</time>
          </div>
        </li>
      ))}
    </ul>
  )
}

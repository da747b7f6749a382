export { FollowButton } from './FollowButton'
export { FollowingList } from './FollowingList'
export { useFollowing } from './requests'

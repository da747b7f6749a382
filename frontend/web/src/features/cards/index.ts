export { AddTopicCards } from './AddTopicCards'
export { addTopic, useCards } from './requests'

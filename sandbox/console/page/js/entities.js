/* The users, roles and channels that a select or an option offers. */

const USER_SELECTS = new Set([5, 7]);
const ROLE_SELECTS = new Set([6, 7]);
const CHANNEL_SELECT = 8;

/** The items of a select of this component type, as {id, label, detail, user}. */
export function entities(world, head, kind, types = []) {
  const found = [];
  if (USER_SELECTS.has(kind)) found.push(...world.members.map((id) => person(world.users[id])));
  if (ROLE_SELECTS.has(kind)) found.push(...world.roles.map((role) => ({ id: role.id, label: `@${role.name}` })));
  if (kind === CHANNEL_SELECT) found.push(...channels(head, types));
  return found;
}

function person(user) {
  return { id: user.id, label: user.name, detail: user.bot ? "App" : "", user };
}

function channels(head, types) {
  const all = head.channels.flatMap((channel) => [channel, ...channel.threads]);
  return all
    .filter((channel) => !types.length || types.includes(channel.type))
    .map((channel) => ({ id: channel.id, label: `#${channel.name}` }));
}

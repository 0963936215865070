/* The bot's commands as people type them, with their subcommands. */

const SLASH = 1;
const SUBCOMMAND = 1;
const GROUP = 2;

/** Every slash command or subcommand that can be sent, as {name, description, options}. */
export function slashCommands(registered) {
  const found = registered
    .filter((command) => (command.type ?? SLASH) === SLASH)
    .flatMap((command) => spread(command.name, command));
  return found.sort((one, other) => one.name.localeCompare(other.name));
}

function spread(name, node) {
  const options = node.options ?? [];
  const nested = options.filter(({ type }) => type === SUBCOMMAND || type === GROUP);
  if (nested.length) return nested.flatMap((child) => spread(`${name} ${child.name}`, child));
  const first = options.filter((option) => option.required);
  const rest = options.filter((option) => !option.required);
  return [{ name, description: node.description, options: [...first, ...rest] }];
}

/** The commands that match the text after the slash, those that begin with it first. */
export function suggest(commands, typed) {
  const wanted = typed.trim().toLowerCase();
  if (!wanted) return commands;
  const begins = (command) => command.name.startsWith(wanted);
  const within = (command) => command.name.includes(wanted);
  return [...commands.filter(begins), ...commands.filter((c) => !begins(c) && within(c))];
}

/** The names of the context menu commands of a type: 2 for users, 3 for messages. */
export function menuCommands(registered, kind) {
  return registered.filter((command) => command.type === kind).map((command) => command.name);
}

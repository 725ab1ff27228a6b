// What the program is asked for, and what it tells by itself.

/** Thrown when an answer is of a reading of the game that is not the latest any more. */
export class Outdated extends Error {}

export async function ask(what, parameters) {
  const answer = await fetch(`/data/${what}?${new URLSearchParams(parameters)}`);
  if (!answer.ok) throw new Error(await answer.text());
  const data = await answer.json();
  if (data.outdated) throw new Outdated();
  return data;
}

/** Calls `changed` with each new state of the files, and `linked` when the program is lost or back. */
export function follow(changed, linked) {
  const source = new EventSource("/events");
  source.onmessage = (event) => changed(JSON.parse(event.data));
  source.onopen = () => linked(true);
  source.onerror = () => linked(false);
}

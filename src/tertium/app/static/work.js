// What all screens share: answers on their way to the server, time, undo, keys.
//
// An answer is first put into this browser's storage, then sent, and forgotten here only when the server has said that it
// is saved. A lost connection, a reload or a crash in between changes nothing: the answer is sent again under the same key,
// and the server keeps it once.

export const screen = JSON.parse(document.getElementById("screen")?.textContent ?? "{}");
const csrf = document.querySelector("meta[name=csrf]").content;
const status = document.getElementById("status");
const next = document.getElementById("next");
const comment = document.getElementById("comment");
const waitingName = `tertium ${screen.annotator} ${screen.position}`;

// A text in the language of the page; {} is where a value goes.
export const t = (text, ...values) => values.reduce((said, value) => said.replace("{}", () => value), screen.words?.[text] ?? text);

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function say(text, kind = "") {
  status.textContent = text;
  status.className = kind;
}

// Seconds of work on this screen, over all visits. A pause counts up to `idle` seconds, and not at all while the page is
// hidden.
let worked = screen.seconds ?? 0;
let last = document.hidden ? null : performance.now();
function lively() {
  const now = performance.now();
  if (last !== null) worked += Math.min((now - last) / 1000, screen.idle);
  last = document.hidden ? null : now;
}
for (const kind of ["pointerdown", "pointermove", "keydown", "scroll", "visibilitychange"]) {
  document.addEventListener(kind, lively, { capture: true, passive: true });
}
function seconds() {
  lively();
  return Math.round(worked * 100) / 100;
}

async function post(url, body) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": csrf },
    body: JSON.stringify(body),
    keepalive: true,
  });
  const found = await response.json().catch(() => ({}));
  if (response.ok) return found;
  const error = new Error(found.detail ?? t("the server said {}", response.status));
  error.temporary = response.status >= 500 || response.status === 429;
  error.refused = response.status === 422; // it will never be taken; anything else may change
  throw error;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function insist(url, body) {
  for (let wait = 400; ; wait = Math.min(wait * 1.6, 8000)) {
    try {
      return await post(url, body);
    } catch (error) {
      if (error instanceof TypeError || error.temporary) {
        say(t("no connection: not saved yet, trying again"), "trouble");
        await pause(wait);
      } else {
        say(t(error.message), "trouble");
        throw error;
      }
    }
  }
}

let sending = null;
let queued = null;
let leaving = false;
let finishing = null; // the whole answer that is on its way, as text: given again, it is the same answer

async function work() {
  while (queued) {
    const one = queued;
    queued = null;
    say(t("saving …"));
    try {
      const found = await insist(`/work/${screen.position}/answer`, one);
      if (!queued) localStorage.removeItem(waitingName);
      if (screen.practice) {
        explain(found);
        return;
      }
      say(t("saved ✓"), "good");
      const bar = document.getElementById("progress");
      if (bar) bar.value = found.done;
      if (one.complete && !queued) {
        leaving = true;
        location.assign(found.next);
      }
    } catch (error) {
      if (error.refused) localStorage.removeItem(waitingName);
      finishing = null;
      return;
    }
  }
}

let latest = null; // what the design said last, without the comment

// What is said about the answer to a practice item.
function explain({ right, expected, feedback, next: onward }) {
  leaving = true;
  say("");
  const panel = document.getElementById("feedback");
  panel.classList.toggle("right", right);
  document.getElementById("verdict").textContent = right ? t("Right.") : t("Not quite.");
  document.getElementById("expected").textContent = t("Expected: {}", expected);
  document.getElementById("explained").textContent = feedback;
  document.getElementById("onward").href = onward;
  panel.hidden = false;
  if (next) next.disabled = true;
  panel.scrollIntoView({ block: "nearest" });
  document.getElementById("onward").focus();
}

function send(answer, complete) {
  if (screen.practice && !complete) return; // only whole answers are looked at
  latest = answer;
  if (comment?.value.trim()) answer = { ...answer, comment: comment.value.trim() };
  const written = JSON.stringify(answer);
  if (leaving || (finishing !== null && (!complete || written === finishing))) return;
  if (complete) finishing = written;
  queued = { key: newKey(), answer, seconds: seconds(), complete };
  localStorage.setItem(waitingName, JSON.stringify(queued));
  sending ??= work().finally(() => {
    sending = null;
  });
}

// A half-given answer.
export const draft = (answer) => send(answer, false);

// A whole answer: when it is saved, the next screen comes.
export const finish = (answer) => send(answer, true);

// The answer to begin with: one that is still on its way from here, or the server's.
export function given() {
  try {
    const waiting = JSON.parse(localStorage.getItem(waitingName));
    if (waiting) {
      queued = waiting;
      if (waiting.complete) finishing = JSON.stringify(waiting.answer);
      sending ??= work().finally(() => {
        sending = null;
      });
      return begin(waiting.answer);
    }
  } catch {
    localStorage.removeItem(waitingName);
  }
  return begin(screen.answer);
}

function begin(answer) {
  const { comment: said = "", ...rest } = answer ?? {};
  if (comment && said) {
    comment.value = said;
    comment.closest("details").open = true;
  }
  latest = rest;
  return answer;
}

let resting = 0;
comment?.addEventListener("input", () => {
  clearTimeout(resting);
  resting = setTimeout(() => draft(latest ?? {}), 400);
});
comment?.addEventListener("change", () => {
  clearTimeout(resting);
  draft(latest ?? {});
});

let before = null; // what had the focus before the comment
function toComment() {
  before = document.activeElement;
  comment.closest("details").open = true;
  comment.focus();
}
comment?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") (before ?? document.body).focus();
});

export async function undo() {
  if (leaving) return;
  if (sending) await sending;
  if (leaving) return;
  leaving = true;
  try {
    const found = await insist("/work/undo", { key: newKey() });
    if (found.next) location.assign(found.next);
    else {
      leaving = false;
      say(t("there is nothing to undo"));
    }
  } catch {
    leaving = false;
  }
}

document.getElementById("undo")?.addEventListener("click", undo);

// An Enter meant for the screen before may arrive here: it counts once something was done, or after a moment.
const opened = performance.now();
let touched = Boolean(screen.answer ?? localStorage.getItem(waitingName));
addEventListener("pointerdown", () => {
  touched = true;
});

const neighbours = { p: "earlier", n: "later" }; // segments of a document

// keys(handler): handler(key, event) says true when it has used a key.
export function keys(handler) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") touched = true;
    else if (event.repeat || (!touched && performance.now() - opened < 600)) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || tag === "TEXTAREA") return;
    if (handler(event.key.length === 1 ? event.key.toLowerCase() : event.key, event)) {
      event.preventDefault();
    } else if (event.key.toLowerCase() === "u") {
      event.preventDefault();
      undo();
    } else if (Object.hasOwn(neighbours, event.key.toLowerCase()) && document.getElementById(neighbours[event.key.toLowerCase()])) {
      event.preventDefault();
      document.getElementById(neighbours[event.key.toLowerCase()]).click();
    } else if (event.key.toLowerCase() === "c" && comment) {
      event.preventDefault();
      toComment();
    } else if (event.key === "Enter" && next && !next.disabled && !["BUTTON", "A", "SUMMARY"].includes(tag)) {
      event.preventDefault();
      next.click();
    }
  });
}

// Of a document, the segment to be judged; the one before it stays in view.
document.getElementById("here")?.scrollIntoView();

// The second click of two, or a key that is held: meant for the screen before.
export const hasty = (event) => event.detail > 1 || Boolean(event.repeat);

export function onNext(handler) {
  next.addEventListener("click", (event) => {
    if (!next.disabled && !hasty(event)) handler();
  });
}

export function ready(yes) {
  next.disabled = !yes;
}

// Moving among things with the arrow keys: one of them is in the order of focus.
export function among(things) {
  const step = (from, by) => {
    const to = things[Math.min(Math.max(things.indexOf(from) + by, 0), things.length - 1)];
    choose(to);
    return true;
  };
  const choose = (thing, focus = true) => {
    for (const other of things) other.tabIndex = other === thing ? 0 : -1;
    if (focus) thing.focus();
  };
  const current = () => things.find((thing) => thing.contains(document.activeElement)) ?? things.find((thing) => thing.tabIndex === 0) ?? things[0];
  return { step, choose, current };
}

// The page may be shown again from the browser's memory, after Back: then what it knows may be old.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

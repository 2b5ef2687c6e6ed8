// A stopwatch that pauses while the page is hidden.

/**
 * Return a stopped clock; `show` is called with its seconds, four times a second.
 * @param {number} seconds
 * @param {(seconds: number) => void} show
 */
export function createClock(seconds, show) {
  let elapsed = seconds;
  /** @type {number | null} */
  let startedAt = null;
  let timer = 0;

  const now = () => elapsed + (startedAt === null ? 0 : (performance.now() - startedAt) / 1000);
  const pause = () => {
    elapsed = now();
    startedAt = null;
    clearInterval(timer);
  };
  const start = () => {
    if (startedAt !== null) return;
    startedAt = performance.now();
    timer = setInterval(() => show(now()), 250);
  };
  let wasRunning = false;
  const onVisibility = () => {
    if (document.hidden) {
      wasRunning = startedAt !== null;
      pause();
    } else if (wasRunning) start();
  };
  document.addEventListener("visibilitychange", onVisibility);
  show(seconds);

  return {
    seconds: now,
    start,
    pause,
    /** Stop, and set the time. @param {number} seconds */
    set(seconds) {
      pause();
      elapsed = seconds;
      show(seconds);
    },
    remove() {
      pause();
      document.removeEventListener("visibilitychange", onVisibility);
    },
  };
}

/** Return seconds as `0:07` or `1:02:03`. @param {number} seconds */
export function timeText(seconds) {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const tail = two(whole % 60);
  return hours ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

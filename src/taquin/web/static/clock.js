// A stopwatch that a page shows: it rests while the page is hidden.

/** Return a clock at some seconds; `show` is called with the seconds, about once a second. */
export function clockFrom(seconds, show) {
  let before = seconds;
  let since = null;
  let timer = 0;

  const now = () => before + (since === null ? 0 : (performance.now() - since) / 1000);
  const rest = () => {
    before = now();
    since = null;
    clearInterval(timer);
  };
  const go = () => {
    if (since !== null) return;
    since = performance.now();
    timer = setInterval(() => show(now()), 250);
  };
  let wasRunning = false;
  const onVisibility = () => {
    if (document.hidden) {
      wasRunning = since !== null;
      rest();
    } else if (wasRunning) go();
  };
  document.addEventListener("visibilitychange", onVisibility);
  show(seconds);

  return {
    seconds: now,
    go,
    rest,
    /** Begin again at some seconds, at rest. */
    set(seconds) {
      rest();
      before = seconds;
      show(seconds);
    },
    end() {
      rest();
      document.removeEventListener("visibilitychange", onVisibility);
    },
  };
}

/** Return seconds as `0:07` or `1:02:03`. */
export function timeText(seconds) {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  const rest = two(whole % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

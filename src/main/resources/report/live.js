// The page of a run in progress: events add intervals; after the last event, it is the page of the result.

const MAX_LIVE_INTERVALS = 4000;
const REDRAW_MILLIS = 1000;
const PHASES = {connect: 'connecting', warmup: 'warm-up', measure: 'measurement', drain: 'waiting for operations in progress', check: 'checking the tables'};

/** Before the first event, the phase is not known. */
const BEFORE = ['connect', 'warmup'];

const live = {phase: '', planned: 0, latest: null, ended: false, timer: null, drawnAt: 0};
const liveStatus = h('p', {id: 'live', role: 'status'});

/** How far the run has come, in words. */
function progressWords(run) {
  const done = measured(run).reduce((max, i) => Math.max(max, i.atSeconds + i.seconds), 0);
  const planned = live.phase === 'measure' && live.planned ? ' of ' + seconds(live.planned) : '';
  return [...(done ? [seconds(done) + planned + ' measured.']
    : BEFORE.includes(live.phase) ? ['The measurement has not begun.'] : []),
    ...(live.latest ? ['Last interval: ' + rate(live.latest.opsPerSecond) + ' operations per second'
      + (live.latest.failed ? ', ' + countOf(live.latest.failed, 'error', 'errors') : '') + '.'] : [])];
}

/** What is known of a run before it ends. */
function liveSection(run) {
  const made = [throughputChart, rowsChart, latencyChart, percentilesChart, networkChart, scheduleChart, hostsChart]
    .map((make) => make(run, 'run0-')).filter(Boolean);
  return h('section', {id: 'run0', 'aria-label': titleOf(run)},
    h('h2', {}, titleOf(run)),
    verdictBox(run, progressWords(run), '', tiles(run)),
    h('div', {class: 'charts'}, made),
    h('h3', {}, 'Every figure so far'),
    hostIntervalsTable(run), intervalTables(run));
}

/** The run's figures from the command; intervals so far are kept, unless it sends them all. */
function take(data, withIntervals) {
  const kept = RESULTS[0].intervals;
  [RESULTS, CURVES, BADGES].forEach((list, n) => list.splice(0, 1, [data.results, data.curves, data.badges][n][0]));
  if (!withIntervals) {
    RESULTS[0].intervals = kept;
  }
}

/** Creates the sections again; charts that remain keep their drawing, so that nothing flickers. */
function redraw() {
  live.drawnAt = performance.now();
  const main = document.querySelector('main');
  const open = [...main.querySelectorAll('details[open]')].map((d) => d.parentElement.id + d.firstChild.textContent);
  const focused = [...main.querySelectorAll('summary, button, [tabindex]')].indexOf(document.activeElement);
  const before = charts.splice(0);
  const parts = live.ended ? sections() : [liveSection(RESULTS[0])];
  for (const entry of charts) {
    const old = before.find((b) => b.instance && b.spec.id === entry.spec.id);
    if (old) {
      old.plot.setAttribute('aria-label', entry.plot.getAttribute('aria-label'));
      old.plot.style.height = entry.plot.style.height;
      entry.plot.replaceWith(old.plot);
      entry.plot = old.plot;
      entry.instance = old.instance;
    }
  }
  main.replaceChildren(...parts);
  charts.filter((entry) => entry.instance).forEach(repaintLive);
  before.filter((b) => b.instance && !charts.some((entry) => entry.instance === b.instance)).forEach(forget);
  drawCharts();
  main.querySelectorAll('details').forEach((d) => {
    d.open = open.includes(d.parentElement.id + d.firstChild.textContent);
  });
  if (focused >= 0) {
    const element = main.querySelectorAll('summary, button, [tabindex]')[focused];
    element && element.focus({preventScroll: true});
  }
}

function repaintLive(entry) {
  fit(entry);
  entry.instance.resize();
  if (live.ended) {
    paint(entry);
  } else { // keeps the choice in the legend
    const colors = theme();
    entry.instance.setOption({...base(colors), ...entry.spec.option(colors, entry.narrow)}, {replaceMerge: ['series', 'xAxis', 'yAxis']});
  }
}

function forget(entry) {
  entry.instance.dispose();
  window.__charts.splice(window.__charts.findIndex((c) => c.id === entry.spec.id), 1);
}

/** Draws at most once a second, and not while the reader has selected text. */
function redrawSoon() {
  if (live.timer) {
    return;
  }
  const wait = Math.max(0, live.drawnAt + REDRAW_MILLIS - performance.now());
  live.timer = setTimeout(() => {
    live.timer = null;
    if (getSelection().isCollapsed || live.ended) {
      redraw();
    }
  }, wait);
}

function say(text) {
  if (liveStatus.textContent !== text) {
    liveStatus.textContent = text;
  }
}

const sayPhase = () => say('Live: ' + (PHASES[live.phase] || 'starting'));

const LIVE_EVENTS = {
  phase(p) {
    Object.assign(live, {phase: p.phase, planned: p.seconds});
    sayPhase();
  },
  interval(i) {
    live.latest = i;
    if (i.phase !== 'warmup') {
      RESULTS[0].intervals = [...RESULTS[0].intervals.slice(1 - MAX_LIVE_INTERVALS), i];
    }
  },
  state(data) {
    take(data, false);
  },
  end(data) {
    take(data, true);
    live.ended = true;
    say('The run has ended; this is its final page. The command’s server ends with the command.');
  },
};

function follow() {
  const source = new EventSource('events?run=' + encodeURIComponent(RESULTS[0].run.id));
  for (const [name, act] of Object.entries(LIVE_EVENTS)) {
    source.addEventListener(name, (event) => {
      act(JSON.parse(event.data));
      if (live.ended) {
        source.close();
      }
      redrawSoon();
    });
  }
  source.addEventListener('open', sayPhase);
  source.addEventListener('error', () => say(source.readyState === EventSource.CLOSED
    ? 'The command has ended; these are the last figures it sent.' : 'The command does not answer; trying again. These are the last figures it sent.'));
}

document.querySelector('footer').textContent = 'The command that runs the load updates this page.';
document.querySelector('header').append(liveStatus);
show([liveSection(RESULTS[0])]);
live.drawnAt = performance.now();
follow();

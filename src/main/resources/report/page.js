// Assembles the page.

const RESULTS = JSON.parse(document.getElementById('results').textContent);
const CURVES = JSON.parse(document.getElementById('curves').textContent);
const BADGES = JSON.parse(document.getElementById('badges').textContent);

function tile(label, value, path, format) {
  return h('div', {class: 'tile' + (format === String ? ' words' : '')}, h('span', {class: 'label'}, label),
    h('span', {class: 'value', 'data-value': value, 'data-path': path}, value == null ? '–' : format(value)));
}

const TILES = ['p50', 'p95', 'p99', 'max'];
const STATES = {valid: 'valid', valid_with_warnings: 'valid, warnings', not_valid: 'not valid'};

function tiles(run) {
  const names = Object.keys(run.operations);
  const one = names.length === 1 ? pointer(RESULTS.indexOf(run), 'operations', names[0]) : null;
  const times = allTimes(run, headline(run));
  const timePath = (p) => (one ? one + '/latencyMicros/' + headline(run) + '/' + p : null);
  return h('div', {class: 'tiles', role: 'group', 'aria-label': 'Main figures'},
    tile('ops/s', sumOver(run, (o) => o.opsPerSecond), one && one + '/opsPerSecond', rate),
    ...TILES.map((p) => tile(p, times && times[p], timePath(p), milliseconds)),
    tile('errors', sumOver(run, failures), null, count),
    tile('validity', STATES[BADGES[RESULTS.indexOf(run)].state], null, String));
}

/** This many warnings, the most harmful ones, are shown before the reader asks for the others. */
const FIRST_WARNINGS = 3;

/** The warnings, which results have in the order of their harm. */
function warningsOf(finding) {
  const list = (warnings) => (warnings.length ? h('ul', {class: 'warnings'}, warnings.map((w) => h('li', {}, sentencesOf(w)))) : null);
  const more = finding.warnings.slice(FIRST_WARNINGS);
  return [list(finding.warnings.slice(0, FIRST_WARNINGS)),
    more.length ? unfolding('and ' + countOf(more.length, 'more warning', 'more warnings'), () => list(more)) : null];
}

/**
 * What a reader must know: validity, and the reasons for invalidity; then the main figures if there are any, sentences, requested limits,
 * the warnings, and how to read the figures.
 */
function verdictBox(finding, sentences, note, main) {
  const badge = BADGES[RESULTS.indexOf(finding)];
  const limits = (finding.limits || []).filter((l) => l.words);
  return h('div', {class: 'verdict ' + badge.state},
    h('p', {class: 'badge'}, badge.text),
    finding.reasons.map((reason) => h('p', {class: 'reason'}, 'Not valid: ' + sentencesOf(reason))),
    main,
    sentences.map((sentence) => h('p', {}, sentence)),
    limits.map((l) => h('p', {class: l.broken ? 'reason' : null}, limitWords(l))),
    warningsOf(finding),
    note ? h('p', {class: 'note'}, note) : null);
}

/** A limit of --fail-if; one of a comparison also has a variant. */
const limitWords = (l) => (l.broken ? 'Over the limit ' : l.checked === false ? 'Could not be judged: ' : 'Within the limit ') + l.limit
  + (l.variant ? ', ' + l.variant : '') + ': ' + l.words + '.';

function again(run) {
  const command = commandOf(run);
  const merged = run.run.scenario.merged;
  return h('div', {class: 'again'}, h('h3', {}, merged ? 'Run it again, on the first of the ' + count(merged.length) + ' hosts' : 'Run it again'),
    h('pre', {tabindex: 0}, h('code', {}, command)),
    h('button', {type: 'button', onclick: (e) => copy(command, e.target)}, 'Copy'));
}

function copy(text, button) {
  const told = (word) => () => {
    button.textContent = word;
  };
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).then(told('Copied'), told('Not allowed: select the text'));
  } else {
    told('Not allowed: select the text')();
  }
}

const factList = (facts) => h('dl', {}, facts.map(({label, text}) => h('div', {}, h('dt', {}, label), h('dd', {}, text))));

/** The setup, in the words of the other reports. */
function whatWasRun(finding) {
  const facts = [...BADGES[RESULTS.indexOf(finding)].facts, {label: 'run', text: finding.run.id + ', ' + moment(finding.run.startedAt)}];
  return [h('h3', {}, finding.kind === 'comparison' ? 'What was compared' : 'What was run'),
    factList(facts),
    again(finding)];
}

function runSection(run, label) {
  const id = 'run' + RESULTS.indexOf(run) + '-';
  const made = [throughputChart, rowsChart, latencyChart, latencyMapChart, waitsOverTimeChart, slowWaitsChart, percentilesChart, partsChart, stepsChart, scheduleChart, ratesChart,
    nodesChart, hostsChart, waitsChart, machinesChart, disksChart, cpuKindsChart, networkChart].map((make) => make(run, id)).filter(Boolean);
  return h('section', {id: 'run' + RESULTS.indexOf(run), 'aria-label': titleOf(run)},
    h('h2', {}, (label ? label + ': ' : '') + titleOf(run)),
    verdictBox(run, verdictOf(run), noteOf(run), tiles(run)),
    h('div', {class: 'charts'}, made),
    rateStepsTable(run),
    whatWasRun(run),
    h('h3', {}, 'Every figure'),
    operationsTables(wholeRun(run)), nodesTable(run), nodesFigures(run), loadHostsTable(run), hostIntervalsTable(run), intervalTables(run),
    h('h3', {}, 'Servers and settings'),
    serverTables(run),
    raw(run));
}

function raw(run) {
  const text = () => JSON.stringify(run, null, 2);
  return h('div', {class: 'raw'}, h('h3', {}, 'The result itself'),
    h('button', {type: 'button', onclick: () => save(text(), 'pgstress-' + run.run.id + '.json')}, 'Save JSON'),
    unfolding('Show JSON', () => h('pre', {tabindex: 0}, text())));
}

function save(text, name) {
  const url = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
  h('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  repaintCharts();
}

function contents(sections) {
  return h('nav', {'aria-label': 'Contents'}, h('ul', {}, sections.map((section) => h('li', {},
    h('a', {href: '#' + section.id}, (section.querySelector('.subject') || section.querySelector('h2')).textContent)))));
}

function themeChoice() {
  return h('label', {class: 'theme'}, 'Theme ', h('select', {onchange: (e) => setTheme(e.target.value)},
    ['auto', 'light', 'dark'].map((name) => h('option', {value: name}, name))));
}

/** Landmarks of the same name get their number, for readers who go from one to the next. */
function distinguish(sections) {
  const names = sections.map((section) => section.getAttribute('aria-label'));
  sections.forEach((section, n) => names.indexOf(names[n]) !== names.lastIndexOf(names[n])
    && section.setAttribute('aria-label', names[n] + ', result ' + (n + 1)));
}

const ofKind = (kind) => RESULTS.filter((r) => r.kind === kind);

/** All sections of the page. */
function sections() {
  const runs = RESULTS.filter((r) => !r.kind);
  const labels = labelsOf(runs);
  const own = RESULTS.map((r) => (r.kind === 'comparison' ? comparisonSection(r)
    : r.kind === 'scaling' ? scalingSection(r) : r.kind === 'rate-search' ? rateSearchSection(r)
      : r.kind === 'rehearsal' ? rehearsalSection(r) : runSection(r, runs.length > 1 ? labels[runs.indexOf(r)] : '')));
  distinguish(own);
  const several = [[runs, severalSection], [ofKind('comparison'), severalComparisons], [ofKind('scaling'), severalScalings]]
    .filter(([findings]) => findings.length > 1).map(([findings, section]) => section(findings));
  return [...(own.length > 1 ? [contents(own)] : []), ...several, ...own];
}

/** Assembles the page; @param parts its sections */
function show(parts) {
  document.querySelector('header').append(themeChoice());
  document.querySelector('main').replaceChildren(...parts);
  drawCharts();
  window.addEventListener('resize', resizeCharts);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaintCharts);
  window.addEventListener('beforeprint', () => {
    document.documentElement.dataset.print = 'yes';
    repaintCharts();
    resizeCharts();
  });
  window.addEventListener('afterprint', () => {
    delete document.documentElement.dataset.print;
    repaintCharts();
    resizeCharts();
  });
}

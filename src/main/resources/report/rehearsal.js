// The section of a rehearsal, which is its text report. Its load and its search have sections of their own.

/** The colours of the answers are those of validity. */
const ANSWERS = {GO: 'valid', GO_WITH_REMARKS: 'valid_with_warnings', NO_GO: 'not_valid', UNKNOWN: 'not_valid'};

/** What speaks for and against the answer; the warnings on the load do not, and are folded. */
function answerBox(rehearsal, sentences) {
  const {reasons, warnings} = rehearsal;
  return h('div', {class: 'verdict ' + ANSWERS[rehearsal.answer]},
    reasons.map((reason) => h('p', {class: 'reason'}, 'Not valid: ' + sentencesOf(reason))),
    sentences.map((sentence) => h('p', {}, sentence)),
    warnings.length ? unfolding(countOf(warnings.length, 'warning', 'warnings') + ' on the load, which did not change the answer',
      () => h('ul', {class: 'warnings'}, warnings.map((warning) => h('li', {}, sentencesOf(warning))))) : null);
}

function rehearsalSection(rehearsal) {
  const index = RESULTS.indexOf(rehearsal);
  const {title, verdict: [answer, ...sentences], facts, tables, note} = BADGES[index].section;
  return h('section', {id: 'run' + index, 'aria-label': title},
    headed(answer.replace(/\.$/, ''), title),
    answerBox(rehearsal, sentences),
    factList(facts),
    tables.map(({words, rows: [header, ...rows]}, i) => table(['Collections', 'Operations', 'Layouts'][i], header,
      rows.map((row) => row.map((cell, column) => (column < words ? cell : {text: cell, value: null, path: null}))))),
    h('p', {class: 'note'}, note),
    whatWasRun(rehearsal),
    serversTables(rehearsal),
    raw(rehearsal));
}

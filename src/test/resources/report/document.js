// A document that only keeps what the scripts of a page create, for an engine without a browser: ScriptedPage.

/** The width of every element, in pixels. */
let elementWidth = 1000;

class Node {
  constructor(tag) { this.tag = tag; this.attributes = {}; this.children = []; this.style = {}; this.dataset = {}; this.listeners = {}; this.parentElement = null; }
  append(...nodes) { nodes.forEach((n) => { this.children.push(n); if (n instanceof Node) { n.parentElement = this; } }); }
  replaceChildren(...nodes) { this.children = []; this.append(...nodes); }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  getAttribute(name) { return name in this.attributes ? this.attributes[name] : null; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  before(node) { const own = this.parentElement.children; own.splice(own.indexOf(this), 0, node); node.parentElement = this.parentElement; }
  replaceWith(node) { const own = this.parentElement.children; own.splice(own.indexOf(this), 1, node); node.parentElement = this.parentElement; }
  get textContent() { return this.children.map((c) => (c instanceof Node ? c.textContent : String(c))).join(''); }
  set textContent(text) { this.children = [text]; }
  get firstChild() { return this.children[0]; }
  get clientWidth() { return elementWidth; }
  get id() { return this.attributes.id || ''; }
  all() { return [this, ...this.children.flatMap((c) => (c instanceof Node ? c.all() : []))]; }
  querySelector(selector) { return this.querySelectorAll(selector)[0] || null; }
  querySelectorAll(selector) {
    return this.all().slice(1).filter((n) => selector.split(',').some((s) => s.trim().startsWith('.')
      ? (n.attributes.class || '').split(' ').includes(s.trim().slice(1)) : n.tag === s.trim()));
  }
  focus() {}
}
const root = new Node('html');
const byId = {};
for (const tag of ['header', 'main', 'footer']) { root.append(new Node(tag)); }
globalThis.document = {
  documentElement: root, activeElement: null,
  createElement: (tag) => new Node(tag), createElementNS: (ns, tag) => new Node(tag),
  getElementById: (id) => byId[id] || null, querySelector: (s) => root.querySelector(s), querySelectorAll: (s) => root.querySelectorAll(s),
  addEventListener() {},
};
globalThis.navigator = {languages: ['en-US']};
globalThis.window = globalThis;
globalThis.addEventListener = () => {};
globalThis.matchMedia = () => ({matches: false, addEventListener() {}});
globalThis.getComputedStyle = () => ({getPropertyValue: (name) => ' #' + name.length});
globalThis.localStorage = {getItem: () => null, setItem() {}, removeItem() {}};
/** What each chart was drawn with, in the order of their creation. */
globalThis.options = [];
globalThis.echarts = {
  format: {encodeHTML: (text) => text},
  init: () => ({on() {}, resize() {}, dispose() {}, setOption(option) { globalThis.options.push(option); }}),
};

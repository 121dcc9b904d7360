// SPDX-License-Identifier: Apache-2.0
// Pages that are opened as files: browsers start no worker there, so the search of the theme runs in a
// hidden frame instead. The theme (Material for MkDocs, plugin `offline`) looks for this class by its name.
'use strict';

class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement('iframe');
    this.frame.hidden = true;
    document.body.appendChild(this.frame);
    const inside = this.frame.contentWindow;
    const load = source => new Promise((done, failed) => {
      const script = inside.document.createElement('script');
      script.src = source;
      script.onload = done;
      script.onerror = () => failed(new Error(`cannot load ${source}`));
      inside.document.body.appendChild(script);
    });
    inside.postMessage = data => this.dispatchEvent(new MessageEvent('message', { data }));
    inside.importScripts = (...sources) =>
      sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
    this.ready = load(new URL(url, location.href).href);
  }

  postMessage(data) {
    this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent('message', { data })))
      .catch(error => this.dispatchEvent(new ErrorEvent('error', { error })));
  }

  terminate() {
    this.frame.remove();
  }
}

if (location.protocol === 'file:') {
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}

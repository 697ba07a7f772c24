// Conveniences: every page works without them.
(function () {
  "use strict";

  var root = document.documentElement;
  var one = function (query, from) { return (from || document).querySelector(query); };
  var all = function (query, from) { return Array.from((from || document).querySelectorAll(query)); };

  // Theme: at once, and kept for the next page by the form's own answer.
  var themes = { auto: "dark", dark: "light", light: "auto" };
  function nextTheme(form) {
    var chosen = themes[root.dataset.theme] || "auto";
    root.dataset.theme = chosen;
    document.cookie = "engraphy_theme=" + chosen + "; path=/; max-age=31536000; samesite=strict";
    var button = one("button", form);
    if (button) {
      button.value = themes[chosen];
      button.title = "Theme: " + chosen;
      button.setAttribute("aria-label", "Theme: " + chosen + ". Change it");
    }
  }
  var themeForm = one("[data-theme-form]");
  if (themeForm) {
    themeForm.addEventListener("submit", function (event) {
      event.preventDefault();
      nextTheme(themeForm);
    });
  }

  // The time zone, in which the next page tells its times.
  var zone = window.Intl && Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = "engraphy_zone=" + zone + "; path=/; max-age=31536000; samesite=strict";

  // On a phone the menu is one line: where one is, is in sight.
  var here = one(".side a[aria-current]");
  function inSight() {
    if (here) here.parentNode.scrollLeft = here.offsetLeft - 60;
  }
  inSight();
  // A count that comes later makes the line longer.
  document.addEventListener("htmx:afterSettle", function (event) {
    if (event.target.closest(".side")) inSight();
  });

  // Menus close when something else is meant.
  document.addEventListener("click", function (event) {
    all("details[data-menu][open]").forEach(function (menu) {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });

  // Copying.
  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-copy]");
    if (!button || !navigator.clipboard) return;
    navigator.clipboard.writeText(button.dataset.copy).then(function () {
      var words = button.textContent;
      button.textContent = "Copied";
      setTimeout(function () { button.textContent = words; }, 1200);
    });
  });

  // Keyboard.
  var keys = one("#keys");
  var opener = one("[data-keys]");
  function help() { if (keys && !keys.open) keys.showModal(); }
  if (opener && keys) {
    opener.hidden = false;
    opener.addEventListener("click", help);
  }
  var chosen = -1;
  function move(step) {
    var items = all("#main [data-item]");
    if (!items.length) return;
    all(".chosen").forEach(function (item) { item.classList.remove("chosen"); });
    chosen = Math.max(0, Math.min(items.length - 1, chosen + step));
    var item = items[chosen];
    item.classList.add("chosen");
    item.scrollIntoView({ block: "nearest" });
    var link = one("a[href], button", item);
    if (link) link.focus({ preventScroll: true });
  }
  function follow(query) {
    var link = one(query);
    if (link) link.click();
  }
  var going = 0;
  function typing(target) {
    return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  }
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") {
      var within = event.target.closest("details[data-menu][open]");
      all("details[data-menu][open]").forEach(function (menu) { menu.open = false; });
      // Who leaves a menu is where it was opened, not nowhere.
      if (within) one("summary", within).focus();
      else if (typing(event.target)) event.target.blur();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (keys && keys.open) return;
    if (going && Date.now() - going < 1500) {
      going = 0;
      var place = one('[data-go="' + CSS.escape(event.key) + '"]');
      if (place) { event.preventDefault(); place.click(); }
      return;
    }
    var doing = {
      "/": function () { var find = one("[data-find-main]") || one("[data-find]"); if (find) { find.focus(); find.select(); } },
      "?": help,
      j: function () { move(1); },
      k: function () { move(-1); },
      "]": function () { follow('.pager [rel="next"]'); },
      "[": function () { follow('.pager [rel="prev"]'); },
      t: function () { if (themeForm) nextTheme(themeForm); },
      g: function () { going = Date.now(); }
    }[event.key];
    if (doing) { event.preventDefault(); doing(); }
  });

  // Signing in by a link: what stands behind # never reaches a server's log.
  var signin = one("[data-signin]");
  function signIn() {
    if (!signin || location.hash.length < 2) return;
    one('input[name="token"]', signin).value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname + location.search);
    signin.requestSubmit();
  }
  signIn();
  addEventListener("hashchange", signIn);

  // Live updates: a stream that tells that something changed, or, where it cannot be had, a question
  // now and then. Parts that listen to `engraphy:change` load themselves again.
  var state = one("[data-live-state]");
  var last = null;
  function told(number) {
    if (state) state.hidden = false;
    if (last !== null && number !== last) {
      if (state) {
        state.classList.remove("beat");
        void state.offsetWidth;
        state.classList.add("beat");
      }
      document.body.dispatchEvent(new CustomEvent("engraphy:change", { detail: { number: number } }));
    }
    last = number;
  }
  function shows(word, off) {
    if (!state) return;
    state.classList.toggle("off", off);
    one("[data-live-words]", state).textContent = word;
    state.title = off ? "Asks every 15 seconds" : "Live updates";
  }
  function ask() {
    fetch("/live/now", { headers: { Accept: "application/json" } })
      .then(function (answer) { return answer.ok ? answer.json() : null; })
      .then(function (value) { if (value) told(String(value.change)); })
      .catch(function () { shows("away", true); });
  }
  var asking = 0;
  function listen() {
    var source = new EventSource(document.body.dataset.live);
    source.addEventListener("change", function (event) {
      if (asking) { clearInterval(asking); asking = 0; }
      shows("live", false);
      told(event.data);
    });
    source.onerror = function () {
      if (source.readyState !== EventSource.CLOSED) return;
      shows("asking", true);
      if (!asking) asking = setInterval(ask, 15000);
      setTimeout(listen, 60000);
    };
    addEventListener("pagehide", function () { source.close(); });
  }
  if (document.body.dataset.live && window.EventSource) listen();
})();

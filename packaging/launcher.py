"""The window of the stand-alone program: it starts the studio, opens the browser, and stops the studio.

``printkit studio --child`` writes one JSON object a line on standard output, and ends when its standard input closes.
So it ends with this window, even when the window is killed. This program imports nothing of printkit.
"""

import json
import locale
import os
import re
import subprocess
import sys
import threading
import tomllib
import webbrowser
from pathlib import Path
from queue import SimpleQueue
from tkinter import PhotoImage, Tk, ttk
from typing import Any

FOLDER = Path(getattr(sys, "_MEIPASS", "") or Path(__file__).parent)  # in the built program: that of its data
PROGRAM = Path(sys.executable).with_name("printkit.exe" if os.name == "nt" else "printkit")
NO_CONSOLE = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # for Windows
WIDTH = 440  # pixels
# A second start only opens the browser. Its studio writes the address and ends, so its window is never shown.
HIDDEN_MS = {"starting": 3000, "running": 500}


def read_line(line: str) -> dict[str, Any]:
    """Return what a line of the studio adds to the state; a line that is no JSON object is the ``last`` one."""
    try:
        message = json.loads(line)
    except ValueError:
        return {"last": line.strip()} if line.strip() else {}
    return message if isinstance(message, dict) else {}


def title_of(state: dict[str, Any]) -> str:
    """Return the key of the title in launcher.toml; the state has a ``status`` after the end of the studio."""
    if "status" in state:
        return "stopped" if "at" in state else "not-started"
    return "starting" if "at" not in state else "phones" if state.get("phones") else "running"


def find_words(templates: Path) -> dict[str, str]:
    """Return the texts of the window in the language of the locale, or in English."""
    name = next((os.environ[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(key)), "")
    code = locale.normalize(re.split(r"[_.@-]", name or locale.getlocale()[0] or "en")[0]).split("_")[0].lower()
    files = (templates / "words" / language / "launcher.toml" for language in (code, "en"))
    return tomllib.loads(next(filter(Path.is_file, files)).read_text("utf-8"))["launcher"]


def read_child(child: subprocess.Popen[bytes], news: SimpleQueue[dict[str, Any]]) -> None:
    """Queue the lines of the studio, then its exit status.

    It runs in a thread, which must not hold the window: Tk aborts the program if another thread frees a window.
    """
    with child.stdout as lines:
        for line in lines:
            news.put(read_line(line.decode("utf-8", "replace")))
    news.put({"status": child.wait()})


class Window:
    """The window, and the studio that it starts with ``command``."""

    def __init__(self, command: list[Any], words: dict[str, str]) -> None:
        self.words, self.state, self.news = words, dict[str, Any](), SimpleQueue[dict[str, Any]]()
        self.child = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-2, creationflags=NO_CONSOLE)
        self.root = Tk(baseName="printkit", className="printkit")
        self.root.withdraw()
        self.root.iconphoto(True, PhotoImage(file=FOLDER / "icon.png"))
        self.root.resizable(False, False)
        self.root.minsize(WIDTH, 0)
        ttk.Style().theme_use("clam" if sys.platform == "linux" else None)
        self.frame = ttk.Frame(self.root, padding=16)
        self.frame.pack(fill="both", expand=True)
        self.show_state()
        threading.Thread(target=read_child, args=(self.child, self.news), daemon=True).start()
        self.root.after(0, self.poll)

    def poll(self) -> object:
        """Show what has changed since the last call; close the window if the studio has ended without a reason."""
        while not self.news.empty():
            self.state |= (news := self.news.get())
            if self.state.get("status") == 0 and "stopped" not in self.state:
                return self.root.destroy()
            self.show_state()
            if "at" in news:
                webbrowser.open(news["at"])
        return self.root.after(50, self.poll)

    def show_state(self) -> None:
        """Replace the texts and the buttons by those of the state."""
        for widget in self.frame.winfo_children():
            widget.destroy()
        root, state = self.root, self.state
        detail, buttons = "", {"stop": root.destroy}
        if "status" in state:
            detail = state.get("stopped") or state.get("last") or self.words["silent"].format(status=state["status"])
            buttons = {"close": root.destroy, "copy": lambda: (root.clipboard_clear(), root.clipboard_append(detail))}
        elif "at" in state:
            detail = self.words["closing-stops"]
            buttons["open-folder"] = lambda: webbrowser.open(Path(state["folder"]).as_uri())
            buttons["open-browser"] = lambda: webbrowser.open(state["at"])
        ttk.Label(self.frame, text=self.words[title_of(state)], font=("", 14)).pack(anchor="w")
        ttk.Label(self.frame, text=detail, wraplength=WIDTH).pack(anchor="w", pady=(4, 12))
        for name, call in buttons.items():
            ttk.Button(self.frame, text=self.words[name], command=call).pack(side="right", padx=(8, 0))
        root.after(HIDDEN_MS.get(title_of(state), 0), root.deiconify)

    def run(self) -> None:
        """Show the window until it is closed, then end the studio."""
        self.root.mainloop()
        self.child.stdin.close()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()


if __name__ == "__main__":
    Window([PROGRAM, "studio", "--child"], find_words(FOLDER / "printkit" / "templates")).run()

"""The server's settings for tests: loopback, no token, no news, whole notebooks in the page."""

# ruff: noqa: F821
import json
import os
import tempfile
from pathlib import Path

c = get_config()  # type: ignore[name-defined]
c.ServerApp.ip = "127.0.0.1"
c.ServerApp.port = int(os.environ["CE_PORT"])
c.ServerApp.port_retries = 0
c.ServerApp.open_browser = False
c.ServerApp.allow_root = True
c.IdentityProvider.token = ""
c.PasswordIdentityProvider.hashed_password = ""
c.ServerApp.disable_check_xsrf = True
c.ServerApp.root_dir = os.environ["CE_ROOT"]
c.LabApp.expose_app_in_browser = True
c.LabApp.workspaces_dir = tempfile.mkdtemp(prefix="ce-ws-")
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"

settings = tempfile.mkdtemp(prefix="ce-us-")


def setting(package: str, plugin: str, **values: object) -> None:
    """Write one setting of the lab's."""
    folder = Path(settings, package)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{plugin}.jupyterlab-settings").write_text(json.dumps(values), encoding="utf-8")


setting(
    "@jupyterlab/apputils-extension", "notification", fetchNews="false", checkForUpdates=False, doNotDisturbMode=True
)
setting("@jupyterlab/notebook-extension", "tracker", windowingMode="none")
c.LabApp.user_settings_dir = settings

"""A plugin of pytest: writes one line of JSON for each test, and for each file that cannot be read."""

import json


def pytest_addoption(parser):
    parser.addoption("--outcomes", required=True, help="The file to write.")


def pytest_configure(config):
    config.pluginmanager.register(Outcomes(config.getoption("--outcomes")))


class Outcomes:
    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or not report.passed:
            self.write(report)

    def pytest_collectreport(self, report):
        if not report.passed:
            self.write(report)

    def pytest_unconfigure(self):
        self.file.close()

    def write(self, report):
        line = {"test": report.nodeid, "outcome": report.outcome, "reason": reason_of(report)}
        self.file.write(json.dumps(line) + "\n")


def reason_of(report):
    if report.passed:
        return ""
    if getattr(report, "wasxfail", None) is not None:
        return f"expected to fail: {report.wasxfail}"
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    crash = getattr(report.longrepr, "reprcrash", None)
    return crash.message if crash else report.longreprtext

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A run that is killed leaves no half-written file, and with --checkpoint the next one goes on.

  kill_resume_test.py LACUNA [unittest options]
"""
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LACUNA = sys.argv.pop(1)
TRIALS = 4


class KillAndResume(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.table = self.path / "table.json"
        made = subprocess.run(
            [LACUNA, "generate", self.table, "--kind", "hierarchical", "--depths", "3", "2",
             "--fan-least", "6", "4", "--fan-most", "8", "5", "--sensitive-percent", "15",
             "--skew", "6", "--weight", "value"], check=False)
        self.assertEqual(made.returncode, 0)

    def tearDown(self):
        self.folder.cleanup()

    def command(self):
        return [LACUNA, "protect", self.table, "--effort", "fast", "--work", "6000000",
                "--threads", "1", "--checkpoint", self.path / "checkpoint",
                "-o", self.path / "out.json", "--certificate", self.path / "certificate.json"]

    def killed(self, command, checkpoint, wait):
        """Kills a run after `wait` seconds, and not before it has left a checkpoint if `wait` is None. Says whether
        there was one to kill."""
        before = checkpoint.read_bytes() if checkpoint.exists() else None
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            if wait is not None:
                time.sleep(wait)
            while wait is None and run.poll() is None and not (
                    checkpoint.exists() and checkpoint.read_bytes() != before):
                time.sleep(0.01)
            run.send_signal(signal.SIGKILL)
            return run.wait() == -signal.SIGKILL

    def check_files(self):
        """Whatever is there is whole."""
        for name in ("out.json", "certificate.json"):
            file = self.path / name
            if file.exists():
                json.loads(file.read_text(encoding="utf-8"))
        checkpoint = self.path / "checkpoint"
        if checkpoint.exists():
            text = checkpoint.read_text(encoding="utf-8")
            self.assertTrue(text.startswith("lacuna-checkpoint 2\n"))
            self.assertTrue(text.endswith("\nend\n"))

    def test_killed_at_any_time(self):
        draw = random.Random(1)
        checkpoint = self.path / "checkpoint"
        for _ in range(TRIALS):
            self.killed(self.command(), checkpoint, draw.uniform(0, 1.5))
            self.check_files()
        checkpoint.unlink(missing_ok=True)
        self.assertTrue(self.killed(self.command(), checkpoint, None))
        self.check_files()
        self.assertTrue(checkpoint.exists())
        done = subprocess.run(self.command(), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("resumed from", done.stderr)
        self.check_files()
        for checker in (["audit", self.table, "--verdicts-only", "--pattern",
                         self.path / "out.json"],
                        ["verify", self.table, self.path / "certificate.json"]):
            checked = subprocess.run([LACUNA, *checker], capture_output=True, text=True,
                                     check=False)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_the_release_of_a_resumed_run_is_that_of_one_never_stopped(self):
        public = self.path / "public.csv"
        command = [LACUNA, "protect", self.table, "--effort", "fast", "--work", "1500000",
                   "--threads", "1", "--public", public, "--json"]
        never_stopped = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(never_stopped.returncode, 0, never_stopped.stderr)
        expected = public.read_bytes()
        draw = random.Random(2)
        stages = set()
        for trial in range(TRIALS // 2):
            checkpoint = self.path / f"checkpoint{trial}"
            last = trial == TRIALS // 2 - 1
            self.killed([*command, "--checkpoint", checkpoint], checkpoint, None if last else draw.uniform(0.1, 2))
            if checkpoint.exists():
                stages.add(checkpoint.read_text(encoding="utf-8").split("\n")[2].split()[1])
            public.unlink(missing_ok=True)
            done = subprocess.run([*command, "--checkpoint", checkpoint],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(json.loads(done.stdout)["reproducible"])
            self.assertEqual(public.read_bytes(), expected, stages)
        self.assertTrue(stages)
        public.unlink()
        other = [*command, "--checkpoint", checkpoint]
        other[other.index("1500000")] = "1600000"  # then it is only a pattern to begin with
        done = subprocess.run(other, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(json.loads(done.stdout)["reproducible"])

    def test_a_checkpoint_of_another_table(self):
        (self.path / "checkpoint").write_text(
            "lacuna-checkpoint 1\nproblem 00\nwithheld\nend\n", encoding="utf-8")
        done = subprocess.run(self.command(), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the checkpoint is for another table", done.stderr)
        self.assertFalse((self.path / "out.json").exists())


if __name__ == "__main__":
    unittest.main()

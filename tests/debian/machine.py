"""Clean Debian 12 systems. debootstrap makes one root once; each run uses a copy of it in
systemd-nspawn. A Container runs one command there, in this machine's network. A Machine boots with
its own systemd and processes, and has a network of its own or one shared by a bridge."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
PACKAGE = "/srv/plimsoll.deb"  # in the clean root


def run(*words, check=True, **more):
    done = subprocess.run(words, text=True, capture_output=True, check=False, **more)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def exit_with(main):
    """Exits with the result of main, or prints why it failed."""
    try:
        sys.exit(main())
    except (RuntimeError, OSError, subprocess.SubprocessError) as failure:
        print(f"FAILED  {failure}")
        sys.exit(1)


def check(holds, *words):
    if not holds:
        raise RuntimeError(" ".join(str(word) for word in words))


def await_true(what, probe, seconds=30):
    """Waits until the probe holds, and returns how long it took."""
    began = time.monotonic()
    while not probe():
        check(time.monotonic() < began + seconds, "did not come:", what)
        time.sleep(0.1)
    return time.monotonic() - began


def play(subject, *scenes):
    for scene in scenes:
        began = time.monotonic()
        scene(subject)
        print(f"ok      {scene.__name__} ({time.monotonic() - began:.1f} s)", flush=True)


def newest_package(directory):
    return max(directory.glob("plimsoll_*.deb"), key=lambda path: path.stat().st_mtime)


def clean_root(directory, *packages):
    """Makes a fresh copy of a minimal Debian with these packages."""
    pristine, root = directory / "pristine", directory / "root"
    if not (pristine / "etc/debian_version").exists():
        shutil.rmtree(pristine, ignore_errors=True)
        unfinished = directory / "unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        print("making a clean Debian 12, which takes some minutes and is kept", flush=True)
        run("debootstrap", "--variant=minbase", f"--include={','.join(packages)}", SUITE, str(unfinished), MIRROR)
        unfinished.rename(pristine)
    shutil.rmtree(root, ignore_errors=True)
    run("cp", "--archive", "--reflink=auto", str(pristine), str(root))
    return root


def fetch_dependencies(root, package, *others):
    """Downloads the packages that apt will need, while there is a network."""
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    shutil.copy(package, root / PACKAGE.lstrip("/"))
    chroot = ["chroot", str(root), "apt-get", "--quiet=2"]
    run(*chroot, "update")
    run(*chroot, "install", "--yes", "--no-install-recommends", "--download-only", PACKAGE, *others)


def own_cgroups():
    """Returns this process's directory in each cgroup hierarchy."""
    places = []
    mounts = [line.split() for line in pathlib.Path("/proc/self/mounts").read_text().splitlines()]
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "cpuset":
            continue  # a group without CPUs accepts no process; systemd ignores this hierarchy
        wanted_kind = "cgroup" if controllers else "cgroup2"
        wanted = set(filter(None, controllers.split(",")))
        for _, point, kind, options, *_ in mounts:
            if kind == wanted_kind and wanted <= set(options.split(",")):
                places.append(pathlib.Path(point + path))
    return places


class Container:
    """A command in its own root. Use it with `with`, which also stops it."""

    def __init__(self, root, *flags, **streams):
        self.root = pathlib.Path(root)
        self.flags = flags
        self.streams = {"stdin": subprocess.DEVNULL, **streams}
        self.process = None
        self.leader = None

    def __enter__(self):
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--directory", str(self.root), "--register=no", "--keep-unit",
             "--console=pipe", *self.flags], preexec_fn=self.prepare, **self.streams)
        try:
            self.await_start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # The first signal asks for an orderly shutdown, the second forces it.
        for _ in range(2):
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
                return
            except subprocess.TimeoutExpired:
                pass
        self.process.kill()
        self.process.wait()

    def await_start(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError("systemd-nspawn did not start; does this machine allow containers?")
            self.leader = (children.read_text().split() or [None])[0]
            if self.leader is not None and self.is_up():
                return
            time.sleep(0.2)
        raise RuntimeError("the machine did not start")

    def prepare(self):
        """Called in the child process before it becomes the container."""

    def is_up(self):
        return True

    def run(self, *words, check=True):
        """Runs another program in the container."""
        return run("nsenter", "--target", self.leader, "--all", "env", "-i", "DEBIAN_FRONTEND=noninteractive",
                   "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *words, check=check)


class Machine(Container):
    """A booted root. On a bridge, its name is that of its root directory."""

    def __init__(self, root, bridge=None):
        network = f"--network-bridge={bridge}" if bridge else "--private-network"
        super().__init__(root, network, "--boot", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # In one cgroup, each machine would mistake the other's processes for its own services.
        self.cgroups = [place / f"plimsoll-{os.getpid()}-{self.root.name}" for place in own_cgroups()]

    def __enter__(self):
        for place in self.cgroups:
            place.mkdir(exist_ok=True)
        return super().__enter__()

    def __exit__(self, *_):
        super().__exit__()
        self.leave_cgroups()

    def power_off(self):
        """Kills the machine like a power failure: all processes end with the first one."""
        os.kill(int(self.leader), signal.SIGKILL)
        self.process.wait()
        self.leave_cgroups()

    def leave_cgroups(self):
        for place in self.cgroups:
            for directory, _, _ in os.walk(place, topdown=False):
                try:
                    os.rmdir(directory)
                except OSError:
                    pass  # processes of a killed machine may still be exiting

    def prepare(self):
        for place in self.cgroups:
            (place / "cgroup.procs").write_text("0")

    def is_up(self):
        state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return state in ("running", "degraded")

    def kubectl(self, *words, kubeconfig="var/lib/private/plimsoll/admin.kubeconfig", check=True):
        """Runs our kubectl in the machine's network with the service's kubeconfig."""
        return run("nsenter", "--target", self.leader, "--net", "kubectl", "--kubeconfig", str(self.root / kubeconfig),
                   *words, check=check).stdout

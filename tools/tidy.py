#!/usr/bin/env python3
"""Project linter for rules that neither the compilers nor clang-tidy can check.

It enforces the layers of docs/architecture.md, and the bans on clocks, threads, files and random
numbers in pure folders. It also checks the length of files, that every source has a unit test, that
production code uses what headers declare, and that it includes no test helper.
Prints `path:line: what is wrong` and exits with 1 if there is any finding. The tables below are the
rules; tidy_test.py breaks each of them.
"""

import re
import sys
from collections import Counter
from pathlib import Path

SOURCE_LINES_MAX = 500
TEST_LINES_MAX = 1000

# Folder of src/ -> the folders that it may include besides itself.
LAYERS = {
    "base": "",
    "codec": "base",
    "net": "base",
    "store": "base",
    "cel": "base",
    "api": "base codec cel",
    "match": "base cel api",
    "dra": "base codec cel api match",
    "scheduler": "base codec cel api match dra",
    "controller": "base codec api match dra",
    "agent": "base codec api match",
    "apiserver": "base codec cel api match store net",
    "client": "base codec api net",
    "runner": "base codec net api client agent controller scheduler",
    "service": "base api match client runner",
}
# These folders compose the parts, so they may include everything.
COMPOSITION = {"sim", "cli"}

# Folders without I/O: values in, values out. Their tests may read files.
PURE = {"codec", "cel", "api", "match", "dra", "scheduler", "controller", "agent"}
IMPURE_HEADERS = re.compile(
    r"<(thread|mutex|shared_mutex|condition_variable|future|stop_token|semaphore|latch|barrier"
    r"|fstream|iostream|filesystem|random|ctime|unistd\.h|fcntl\.h|sys/.*|netinet/.*|poll\.h"
    r"|pthread\.h)>"
)

# Headers that our headers must not include, because every user would compile them.
HEAVY_HEADERS = re.compile(r'[<"](fmt/|prometheus/|CLI/|yaml\.h|gtest/|gmock/|benchmark/)')

MACROS = {"PL_TRY", "PL_ASSERT", "PL_LOG"}

# (pattern, what to do instead, folders of src/ where it is allowed)
BANNED = [
    (r"\b(system|steady|high_resolution|utc)_clock\b", "take `now`, or a Clock", {"base"}),
    (r"\b(clock_gettime|gettimeofday)\s*\(|\bstd::time\s*\(", "take `now`, or a Clock", {"base"}),
    (r"\bsleep_(for|until)\b|\b(u|nano)?sleep\s*\(", "use Clock::At", set()),
    (r"\bstd::(random_device|rand|srand|mt19937\w*|default_random_engine)\b",
     "use base/random.h", {"base"}),
    (r"\bstd::(thread|jthread|async)\b", "leave threads to the runner",
     {"base", "runner", "net", "store"}),
    (r"\bstd::unordered_\w+", "use an ordered container: iteration order is output", set()),
    (r"\b(std::)?(fopen|ifstream|ofstream|getenv)\b", "leave files and environment to the edges",
     {"base", "store", "net", "agent", "sim", "service", "cli"}),
]  # fmt: skip
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
# A comment that begins so has no subject. A function's comment begins with a verb, a type's with a noun.
COMMENT = re.compile(r"\s*//")
RIDDLE = re.compile(r"\s*///? ?(What|Whatever|Whether|Of|As|Likewise|Who|Whoever|Whose)\b(?!-|.*\?)")

# Files or folders without a unit test in their folder -> the test that covers
# them.
TESTED_ELSEWHERE = {
    "src/net/encoding.cc": "src/net/pki_test.cc",
    "src/apiserver/write/delete_collection.cc": "src/apiserver/write/delete_test.cc",
    "src/api/extension/annotation.cc": "src/api/extension/extended_pod_test.cc",
    "src/apiserver/table/pod.cc": "src/apiserver/table/table_test.cc",
    "src/base/big_decimal.cc": "src/base/quantity_test.cc",
    "src/base/quantity_parse.cc": "src/base/quantity_test.cc",
    "src/base/unicode_print.cc": "src/base/go_text_test.cc",
    "src/cel/check/cost_estimator.cc": "src/cel/cost_test.cc",
    "src/cel/plan/emitter.cc": "src/cel/eval/steps_call_test.cc",
    "src/cel/plan/plan.cc": "src/cel/plan/folding_test.cc",
    "src/controller/deployment/rollout_status.cc":
        "src/controller/deployment/deployment_test.cc",
    "src/controller/device_taint_eviction/evict.cc":
        "src/controller/device_taint_eviction/device_taint_eviction_test.cc",
    "src/controller/device_taint_eviction/judge.cc":
        "src/controller/device_taint_eviction/device_taint_eviction_test.cc",
    "src/controller/job/job_status.cc": "src/controller/job/job_test.cc",
    "src/controller/stateful_set/ordinals.cc": "src/controller/stateful_set/stateful_set_test.cc",
    "src/controller/workload/pod_writes.cc": "src/controller/replica_set/replica_set_test.cc",
    "src/controller/workload/workload_controller.cc":
        "src/controller/replica_set/replica_set_test.cc",
    "src/controller/node_lifecycle/node_health.cc":
        "src/controller/node_lifecycle/node_lifecycle_test.cc",
    "src/dra/device_pools.cc": "src/dra/slice_tracker_test.cc",
    "src/dra/rule_index.cc": "src/dra/slice_tracker_test.cc",
    "src/controller/resource_claim/sync_pod.cc":
        "src/controller/resource_claim/resource_claim_controller_test.cc",
    "src/controller/volume/sync_claim.cc": "src/controller/volume/volume_binder_test.cc",
    "src/controller/volume/sync_volume.cc": "src/controller/volume/volume_binder_test.cc",
    "src/match/threshold_hint.cc": "src/match/hint_test.cc",
    "src/scheduler/plugins/dynamic_resources_refuse.cc":
        "src/scheduler/plugins/dynamic_resources_test.cc",
    "src/cli/apiserver/apiserver_flags.cc": "src/cli/app_test.cc",
    "src/cli/components/component_flags.cc": "src/cli/app_test.cc",
    "src/cli/components/controller_manager.cc": "tests/e2e/scheduler_test.py",
    "src/cli/components/kubelet.cc": "tests/e2e/kubelet_test.py",
    "src/cli/components/scheduler.cc": "tests/e2e/scheduler_test.py",
    "src/cli/explain/cluster_snapshot.cc": "src/cli/explain/explain_test.cc",
    "src/cli/explain/nearest_node.cc": "src/cli/explain/explain_test.cc",
    "src/cli/explain/pending_eviction.cc": "src/cli/explain/explain_test.cc",
    "src/cli/explain/placement.cc": "src/cli/explain/explain_test.cc",
    "src/cli/explain/read_cluster.cc": "src/cli/explain/explain_test.cc",
    "src/cli/flags/command_tree.cc": "src/cli/app_test.cc",
    "src/cli/flags/secure_serving_flags.cc": "src/cli/app_test.cc",
    "src/cli/flags/usage_error.cc": "src/cli/app_test.cc",
    "src/cli/manifest/manifest_files.cc": "src/cli/match/match_test.cc",
    "src/cli/output/failure.cc": "src/cli/apiserver/apiserver_test.cc",
    "src/cli/demo/demo.cc": "tests/e2e/demo_test.py",
    "src/cli/up/control_plane.cc": "tests/e2e/up_test.py",
    "src/cli/up/up.cc": "tests/e2e/up_test.py",
    "src/service/component.cc": "tests/e2e/scheduler_test.py",
    "src/service/elected_service.cc": "tests/e2e/scheduler_test.py",
    "src/service/host_name.cc": "src/cli/apiserver/apiserver_test.cc",
    "src/service/secure_serving.cc": "tests/e2e/pages_test.py",
    "src/runner/plugin_args.cc": "src/runner/scheduler_config_test.cc",
    "src/runner/components.cc": "tests/e2e/scheduler_test.py",
    "src/scheduler/plugins/default_preemption.cc": "tests/golden_runner/schedule_checks.cc",
    "src/net/accept.cc": "src/net/tls_test.cc",
    "src/net/canceller.cc": "src/net/client_test.cc",
    "src/net/channel.cc": "src/net/tls_test.cc",
    "src/net/http1_connection.cc": "src/net/server_test.cc",
    "src/net/http1_connection_body.cc": "src/net/unread_body_test.cc",
    "src/net/http1_exchange.cc": "src/net/server_test.cc",
    "src/net/local.cc": "src/net/client_test.cc",
    "src/net/openssl.cc": "src/net/pki_test.cc",
    "src/net/outbox.cc": "src/net/server_test.cc",
    "src/net/socket_address.cc": "src/net/server_test.cc",
    "src/scheduler/plugins/default_binder.cc": "src/scheduler/plugins/registry_test.cc",
    "src/scheduler/plugins/priority_sort.cc": "src/scheduler/plugins/registry_test.cc",
    "src/scheduler/plugins/scheduling_gates.cc": "src/scheduler/plugins/registry_test.cc",
    "src/store/etcd/answers.cc": "src/store/etcd/grpc_rpc_test.cc",
    "src/store/etcd/convert.cc": "src/store/etcd/grpc_rpc_test.cc",
    "src/store/etcd/grpc_members.cc": "src/store/etcd/grpc_rpc_test.cc",
    "src/store/etcd/grpc_watch.cc": "src/store/etcd/grpc_rpc_test.cc",
    "src/store/rocks_index.cc": "src/store/rocks_store_test.cc",
    "src/store/rocks_recovery.cc": "src/store/rocks_store_test.cc",
    "src/store/etcd/remote_store.cc": "src/store/store_contract_test.cc",
    "src/store/etcd/subscription.cc": "src/store/etcd/watches_test.cc",
    "src/store/revision_errors.cc": "src/store/store_contract_test.cc",
    "src/scheduler/volume/volume_reservation.cc": "src/scheduler/plugins/volume_binding_test.cc",
}

# Names that a header declares although no production code uses them -> the reason.
UNUSED_ALLOWED = {
    "base/allocation_meter.h: AllocatedBytes": "tests and benchmarks measure memory with it",
    "base/allocation_meter.h: CountsAllocations": "tests and benchmarks measure memory with it",
    "base/log.h: MemorySink": "tests read what was logged",
    "base/log.h: StderrSink": "benchmarks and test programs log with it",
    "base/random.h: Chance": "tests make random inputs with it",
    "base/random.h: Fork": "tests make random inputs with it",
    "base/random.h: Shuffle": "tests make random inputs with it",
    "base/time_zone.h: Utc": "FindTimeZone, in its own source, is no member",
    "base/virtual_clock.h: VirtualClock": "the clock of tests and of the planned simulator",
    "cel/device_result.h: RefuseAttribute": "golden cases compare it with upstream",
    "cel/device_result.h: RefuseAttributeType": "golden cases compare it with upstream",
    "cel/environment.h: CompileUnchecked": "the CEL conformance suite has cases without type checks",
    "dra/slice_tracker.h: DeviceOf": "property tests compare it with the published devices",
    "scheduler/cluster/cluster_state.h: IsAssumed": "tests read the state of a pod",
    "scheduler/plugins/pod_tally.h: PodsOn": "tests read the tally of one node",
    "match/node_selector.h: PreferredNodeAffinity": "a property test compares the index with it",
}
TABLE = Path("tools/tidy.py")
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
LOCAL_INCLUDE = re.compile(r'^#include "(.*?)"', re.M)
# Errors are told apart by reason and cause; their texts may change. Names of errors in code, and comparisons of their texts.
ERROR_TEXT = re.compile(
    r'(?:\b(?:error|error\(\)|fault|failure|refusal|response|answer|exception|e)(?:\.|->)'
    r'(?:message|reason|text|body|Text\(\)|what\(\))|\bmessage)'
    r'\)?(?: *[!=]= *"|\.(?:contains|find|starts_with|ends_with)\()')
# Sources that may compare such a text, and why.
ERROR_TEXT_ALLOWED = {
    "store/etcd/fault.cc": "the codes of etcd are ambiguous; it makes kinds of the texts, for all others",
    "dra/device_selectors.cc": "upstream adds advice to errors of CEL with this text, and CEL has no kinds of errors",
    "controller/node_taint_rule/judge.cc": "the API server names the manager of a conflict only in the text",
    "cli/manifest/manifest.cc": "the parsers say the line only in the text",
    "cli/flags/usage_error.cc": "CLI11 names the flag only in the text",
}
INCLUDE = re.compile(r'\s*#\s*include\s+([<"].*[>"])')

# Parts of C++ for check_unused.
NO_CODE = re.compile(r"""#\s*define\s+\w+|//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'""", re.S)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
ACCESS = re.compile(r"[{}]|\b(?:private|protected|public):")
TYPE_DECLARATION = re.compile(
    r"\b(?:class|struct|enum class)\s+(?:\[\[\w+\]\]\s*)?(\w+)(?:\s+final)?\s*(?::[^;{]*)?\{")
FUNCTION_DECLARATION = re.compile(
    r"(?<=[\w>\]&*]\s)(?<!return\s)(?<!else\s)(?<!new\s)(?<!\s&&\s)(?<!\s[&*]\s)([A-Z]\w*)\(")
CONSTANT = re.compile(r"k[A-Z]")
CONSTANT_DECLARATION = re.compile(r"\b(?:constexpr|extern const)\b[^;={(]*?\b(k[A-Z]\w*)\b")


def is_test(path):
    return path.name.endswith("_test.cc")


def is_for_test(path):
    """Returns true for tests and for the headers that they share."""
    return path.name.endswith(("_test.cc", "_for_test.h"))


def code_of(line):
    """Returns the line without string literals and comments, which may mention banned names."""
    return LITERAL.sub('""', line).split("//")[0]


def check_include(folder, path, target):
    """Yields what is wrong with one #include line of a file in src/<folder>."""
    if target.startswith('"'):
        if "../" in target:
            yield f"{target}: include from src/, never by ../"
        other = target[1:].split("/")[0]
        known = other in LAYERS or other in COMPOSITION
        reads_texts = other == "codec" and is_for_test(path)
        allowed = reads_texts or other in {folder, *LAYERS.get(folder, "").split()}
        if known and folder in LAYERS and not allowed:
            yield f"{folder}/ may not include {other}/; see docs/architecture.md"
        if target.endswith('_for_test.h"') and not is_for_test(path):
            yield f"{target} is for tests only"
    if folder in PURE and not is_test(path) and IMPURE_HEADERS.match(target):
        yield f"{folder}/ is pure: no {target}"
    if path.suffix == ".h" and HEAVY_HEADERS.match(target):
        yield f"{target} in a header is paid for by all who include it; move it to the .cc"


def may_compare_texts(path):
    return path.as_posix().endswith(tuple(f"/src/{name}" for name in ERROR_TEXT_ALLOWED))


def check_line(folder, path, line):
    """Checks one line of a file in src/<folder>."""
    found = INCLUDE.match(line)
    if found:
        yield from check_include(folder, path, found[1])
        return
    if ERROR_TEXT.search(line) and not is_test(path) and not may_compare_texts(path):
        yield "compares the text of an error: compare its reason or cause (base/result.h)"
    code = code_of(line)
    macro = re.match(r"\s*#\s*define\s+(\w+)", code)
    if macro and macro[1] not in MACROS:
        yield f"macro {macro[1]}: only {', '.join(sorted(MACROS))} are macros here"
    for pattern, instead, allowed in BANNED:
        hit = re.search(pattern, code)
        # A test may read its data from files; the other bans apply to tests too.
        if hit and folder not in allowed and not ("fopen" in pattern and is_test(path)):
            yield f"{hit[0].strip()} is banned in {folder}/: {instead}"


def check_file(root, path):
    """Yields (line, finding) for one C++ file."""
    parts = path.relative_to(root).parts
    lines = path.read_text().splitlines()
    limit = TEST_LINES_MAX if parts[0] != "src" or is_test(path) else SOURCE_LINES_MAX
    if len(lines) > limit:
        yield 1, f"{len(lines)} lines, the limit is {limit}"
    if path.suffix == ".h" and "#pragma once" not in lines:
        yield 1, "a header needs #pragma once"
    for number, (before, line) in enumerate(zip(["", *lines], lines), 1):
        riddle = RIDDLE.match(line)
        if riddle and not COMMENT.match(before):
            yield number, f"a comment that begins with {riddle[1]} names no subject: begin with a verb or a noun"
        unfinished = UNFINISHED.search(line)
        if unfinished:
            yield number, f"{unfinished[0]}: finish it, or leave it out"
        if parts[0] == "src":
            for fault in check_line(parts[1], path, line):
                yield number, fault


def check_tested(root, sources):
    """Every .cc in src/ must have a test beside it, or one in its folder that includes its header.
    That is the header that the .cc includes first."""
    included = {}  # folder of src/ -> headers that its tests include
    for path in filter(is_test, sources):
        folder = path.relative_to(root / "src").parts[0]
        included.setdefault(folder, set()).update(LOCAL_INCLUDE.findall(path.read_text()))
    needed = set()
    for path in sources:
        if path.suffix != ".cc" or is_test(path):
            continue
        folder = path.relative_to(root / "src").parts[0]
        own_header = LOCAL_INCLUDE.findall(path.read_text())[:1]
        if (path.with_name(path.stem + "_test.cc").exists()
                or included.get(folder, set()).intersection(own_header)):
            continue
        names = {str(name.relative_to(root)) for name in (path, *path.parents[:-1])
                 if name.is_relative_to(root)}
        entries = names.intersection(TESTED_ELSEWHERE)
        needed |= entries
        if not entries:
            yield path, f"has no test: {path.stem}_test.cc, or another that includes its header"
    for name, test in TESTED_ELSEWHERE.items():
        if name not in needed:
            yield TABLE, f"TESTED_ELSEWHERE: {name} is not there, or has tests: take it out"
        elif not (root / test).is_file():
            yield TABLE, f"TESTED_ELSEWHERE: {test}, for {name}, is not there"


def check_test_headers(root, sources):
    """A header without a source that only tests include must have a name in _for_test.h."""
    production, tests = set(), set()
    for path in sources:
        (tests if is_for_test(path) else production).update(LOCAL_INCLUDE.findall(path.read_text()))
    for path in sources:
        name = str(path.relative_to(root / "src"))
        if path.suffix == ".h" and not is_for_test(path) and name in tests - production:
            yield path, "only tests include it: its name must end in _for_test.h"


def code_without_private(code):
    """Returns the code of a header without the private and protected members of its classes."""
    out, depth, start, hidden_at = [], 0, 0, None
    for token in ACCESS.finditer(code):
        if token[0] == "{":
            depth += 1
        elif hidden_at is None and token[0] in ("private:", "protected:"):
            out.append(code[start:token.start()])
            hidden_at = depth
        elif hidden_at == depth and token[0] in ("public:", "}"):
            start, hidden_at = token.start(), None
        if token[0] == "}":
            depth -= 1
    return "".join(out) + ("" if hidden_at is not None else code[start:])


def end_of_braces(code, start):
    """Returns the end of the first pair of braces after `start`."""
    depth = 0
    for brace in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(code)


def declared_names(code):
    """Returns name -> number of declarations of the types, functions and constants in a header."""
    names = {}
    for pattern in (TYPE_DECLARATION, FUNCTION_DECLARATION, CONSTANT_DECLARATION):
        for found in pattern.finditer(code):
            names[found[1]] = names.get(found[1], 0) + 1
    for found in TYPE_DECLARATION.finditer(code):
        # A type mentions itself in its constructors. These count as declarations.
        body = code[found.end():end_of_braces(code, found.start())]
        names[found[1]] += len(re.findall(rf"\b{found[1]}\b", body))
    return names


def check_unused(root, sources):
    """A name that a header declares must be used by another production file. Its own source is
    enough for a limit, which documents the header, and for a name that a test must reach."""
    production, tests = {}, set()  # path -> identifiers with their counts; identifiers
    for path in sources:
        text = NO_CODE.sub('""', path.read_text())
        if is_for_test(path):
            tests.update(IDENTIFIER.findall(text))
        else:
            production[path] = (text, Counter(IDENTIFIER.findall(text)))
    for top in ("tests", "bench", "fuzz"):
        for path in (root / top).rglob("*.cc"):
            tests.update(IDENTIFIER.findall(path.read_text()))
    users = {}  # identifier -> files
    for path, (_, counts) in production.items():
        for name in counts:
            users.setdefault(name, set()).add(path)
    generators = [*(root / "tools").glob("gen_*.py"), *(root / "src").rglob("*.in"), *(root / "src").rglob("*.kinds")]
    for path in generators:
        for name in set(IDENTIFIER.findall(path.read_text())):
            users.setdefault(name, set()).add(path)
    needed = set()
    for path, (text, counts) in production.items():
        if path.suffix != ".h":
            continue
        own = path.with_suffix(".cc")
        for name, declarations in declared_names(code_without_private(text)).items():
            if users[name] - {path, own} or counts[name] > declarations:
                continue
            is_used_here = own in production and uses_in_source(name, production[own][0])
            if is_used_here and (name in tests or CONSTANT.match(name)):
                continue
            place = f"{path.relative_to(root / 'src')}: {name}"
            needed.add(place)
            if place not in UNUSED_ALLOWED:
                yield path, (f"{name} is declared here, and no other production file uses it: "
                             + ("move it to the source" if is_used_here else "delete it"))
    for place in sorted({*UNUSED_ALLOWED} - needed):
        yield TABLE, f"{place} is not there, or is used: take it out of the tables of unused names"


def uses_in_source(name, text):
    """Returns true if a source uses the name besides its definition, which begins a line."""
    return any(re.search(rf"\b{name}\b", line) for line in text.splitlines()
               if line.startswith((" ", "\t")))


def check_folders(root):
    """Every folder of src/ must be in the table and have a README."""
    for folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        if folder.name not in LAYERS and folder.name not in COMPOSITION:
            yield folder, "is no folder of docs/architecture.md; give it a row in LAYERS"
        if not (folder / "README.md").exists():
            yield folder, "has no README.md"


def check_layer_table(root):
    """The table of folders in docs/architecture.md must say what LAYERS and PURE say."""
    document = root / "docs" / "architecture.md"
    if not document.exists():
        return
    rows = re.findall(r"^\| `(\w+)/` \|.*\| ([^|]*) \| ([^|]*) \|$", document.read_text(), re.MULTILINE)
    shown = {folder: (includes.replace(",", ""), kind == "pure") for folder, includes, kind in rows}
    for folder, includes in LAYERS.items():
        wanted = (includes or "third-party only", folder in PURE)
        text = includes.replace(" ", ", ") or wanted[0]
        if shown.get(folder) != wanted:
            kind = "pure" if wanted[1] else "not pure"
            yield document, f"the row of {folder}/ must say: {text}; {kind}"


def check_error_texts(root):
    """A source that may compare the text of an error must do so."""
    for name in ERROR_TEXT_ALLOWED:
        path = root / "src" / name
        if not path.exists() or not any(ERROR_TEXT.search(line) for line in path.read_text().splitlines()):
            yield TABLE, f"{name} compares no text of an error: remove it from ERROR_TEXT_ALLOWED"


def check_tree(root):
    """Returns all findings of the tree, as lines of text."""
    files = sorted(path for top in ("src", "tests", "bench", "fuzz")
                   for suffix in ("h", "cc") for path in (root / top).rglob(f"*.{suffix}"))
    faults = []
    for path in files:
        faults += [f"{path.relative_to(root)}:{line}: {fault}"
                   for line, fault in check_file(root, path)]
    sources = [path for path in files if path.relative_to(root).parts[0] == "src"]
    for path, fault in [*check_tested(root, sources), *check_test_headers(root, sources),
                        *check_unused(root, sources), *check_folders(root),
                        *check_layer_table(root), *check_error_texts(root)]:
        place = path if path == TABLE else path.relative_to(root)
        faults.append(f"{place}:1: {fault}")
    return faults


def main():
    root = Path(__file__).resolve().parent.parent
    faults = check_tree(root)
    for fault in faults:
        print(fault)
    if faults:
        print(f"tidy: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

# volley: an active latency probe for Linux. `make help` lists the targets.
#
# Distribution builds override CXX, CPPFLAGS, CXXFLAGS, LDFLAGS, PREFIX and
# DESTDIR; nothing below overwrites what they set. V=1 shows whole commands.

VERSION := 0.1.0

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
SBINDIR ?= $(PREFIX)/sbin
MANDIR ?= $(PREFIX)/share/man
DOCDIR ?= $(PREFIX)/share/doc/volley
DESTDIR ?=

BUILD ?= build
CXX ?= g++
CXXFLAGS ?= -O2
HARDENING ?= -fstack-protector-strong -fstack-clash-protection -D_FORTIFY_SOURCE=2 -fPIE
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
# Warnings are errors in CI, not in releases.
WERROR ?= $(if $(CI),-Werror)

V ?= 0
, := ,
quiet_1 :=
quiet_0 := @
Q := $(quiet_$(V))
say = $(if $(filter 0,$(V)),@printf '  %-8s %s\n' '$(1)' '$(2)')

ROOMS := wire rss probe stats diagnosis report net app
# The rooms that each room's tests link: itself and what its arrows reach.
REACH_wire := wire
REACH_rss := rss wire
REACH_probe := probe rss wire
REACH_stats := stats probe rss wire
REACH_diagnosis := diagnosis stats probe rss wire
REACH_report := report diagnosis stats probe rss wire
REACH_net := net probe rss wire
REACH_app := app report diagnosis stats net probe rss wire

volley_cppflags := -Iinclude -DVOLLEY_VERSION='"$(VERSION)"' -D_GNU_SOURCE
volley_cxxflags := -std=c++20 -pthread $(HARDENING) $(WARNINGS) $(WERROR) -MMD -MP
libraries := -lnet -lpcap -lfmt -lcap-ng
volley_ldflags := -pthread -pie -Wl,-z,relro,-z,now

compile = $(CXX) $(volley_cppflags) $(CPPFLAGS) $(volley_cxxflags) $(CXXFLAGS) $(EXTRA_FLAGS) -c -o $@ $<
link = $(CXX) $(CXXFLAGS) $(EXTRA_FLAGS) $(volley_ldflags) $(LDFLAGS) -o $@ $(filter %.o,$^) $(libraries) $(LIBS)

room_objects = $(patsubst %.cc,$(BUILD)/%.o,$(wildcard src/$(1)/*.cc))
main_object := $(BUILD)/src/app/main.o
library_objects := $(filter-out $(main_object),$(foreach room,$(ROOMS),$(call room_objects,$(room))))
test_objects = $(patsubst %.cc,$(BUILD)/%.o,$(wildcard tests/unit/$(1)/*_test.cc))

.DEFAULT_GOAL := all
.SECONDARY:
.PHONY: all
all: $(BUILD)/volley ## build the program at build/volley

$(BUILD)/volley: $(main_object) $(library_objects)
	$(call say,LD,$@)
	$(Q)$(link)

$(BUILD)/%.o: %.cc Makefile
	@mkdir -p $(@D)
	$(call say,CXX,$<)
	$(Q)$(compile)

# Tests are compiled for speed of compiling; what they test is built as it ships.
TEST_CXXFLAGS ?= -O1
$(BUILD)/tests/unit/%.o $(BUILD)/tests/sim/%.o $(BUILD)/tests/fuzz/%.o: override CXXFLAGS := $(TEST_CXXFLAGS)

# Catch2's own main needs no sanitizer, which would take minutes to compile.
$(BUILD)/tests/main.o: override EXTRA_FLAGS :=
$(BUILD)/tests/main.o: override CXXFLAGS := -O0

# One test binary; `make unit ROOM=wire` builds and runs one room's tests alone.
$(BUILD)/unit: $(BUILD)/tests/main.o $(foreach room,$(ROOMS),$(call test_objects,$(room))) $(patsubst %.cc,$(BUILD)/%.o,$(wildcard tests/sim/*.cc)) $(library_objects)
	$(call say,LD,$@)
	$(Q)$(link)

# The rooms whose tests run the simulated network.
sim_objects = $(if $(filter probe stats diagnosis app,$(1)),$(patsubst %.cc,$(BUILD)/%.o,$(wildcard tests/sim/*.cc)))

$(BUILD)/unit-$(ROOM): $(BUILD)/tests/main.o $(call test_objects,$(ROOM)) $(call sim_objects,$(ROOM)) $(filter-out $(main_object),$(foreach room,$(REACH_$(ROOM)),$(call room_objects,$(room))))
	$(call say,LD,$@)
	$(Q)$(link)

.PHONY: unit
unit: $(BUILD)/unit$(if $(ROOM),-$(ROOM)) ## build and run the unit tests; ROOM=wire: one room's
	$(Q)$<

# --- what a newcomer runs ---

install_dependencies := packaging/install-dependencies.sh

.PHONY: demo
demo: ## install what is missing, build, build the lab, probe it and show a finding (as root)
	$(Q)$(install_dependencies) build lab
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all lab
	$(Q)tests/lab/demo.sh $(BUILD)

.PHONY: check
check: ## install what is missing, build, run all tests (the live ones as root)
	$(Q)$(install_dependencies) build check lab
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all $(BUILD)/unit lab $(BUILD)/lab/softnic_test fuzz-replay
	$(Q)tests/run.sh $(BUILD) rules unit fuzz cli loopback lab live

.PHONY: check-fast
check-fast: all $(BUILD)/unit fuzz-replay ## the tests that need no root and no network
	$(Q)tests/run.sh $(BUILD) rules unit fuzz cli

# --- sanitizers and fuzzing ---

sanitize = $(MAKE) --no-print-directory -j$$(nproc) BUILD=$(BUILD)-$(1) CXXFLAGS="-O1 -g -fno-omit-frame-pointer" HARDENING=-fPIE EXTRA_FLAGS="-fsanitize=$(2)"

.PHONY: asan
asan: ## unit tests, fuzz corpus and command line under address and undefined sanitizers
	$(Q)$(call sanitize,asan,address$(,)undefined -fno-sanitize-recover=undefined) all $(BUILD)-asan/unit fuzz-replay
	$(Q)tests/run.sh $(BUILD)-asan unit fuzz cli

.PHONY: tsan
tsan: ## what has threads, with live loopback runs as root, under the thread sanitizer
	$(Q)$(call sanitize,tsan,thread) ROOM=probe all $(BUILD)-tsan/unit-probe
	$(Q)UNIT=unit-probe tests/run.sh $(BUILD)-tsan unit cli loopback

fuzz_names := $(patsubst tests/fuzz/%_fuzz.cc,%,$(wildcard tests/fuzz/*_fuzz.cc))
FUZZ_SECONDS ?= 60
FUZZ_CXX ?= clang++

# Replays the corpus with any compiler: the fuzz entry and a main of our own.
$(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%_fuzz.o $(BUILD)/tests/fuzz/replay_main.o $(library_objects)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(link)

.PHONY: fuzz-replay
fuzz-replay: $(addprefix $(BUILD)/fuzz/,$(fuzz_names)) ## build the programs that replay the fuzz corpus

.PHONY: fuzz
fuzz: ## fuzz each parser for FUZZ_SECONDS (60) with clang's libFuzzer
	$(Q)$(install_dependencies) build fuzz
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) BUILD=$(BUILD)-fuzz CXX=$(FUZZ_CXX) CXXFLAGS="-O1 -g" HARDENING=-fPIE EXTRA_FLAGS="-fsanitize=address,undefined,fuzzer-no-link" fuzz-binaries
	$(Q)for name in $(fuzz_names); do \
	  mkdir -p $(BUILD)-fuzz/found/$$name; \
	  echo "  FUZZ     $$name"; \
	  $(BUILD)-fuzz/libfuzzer/$$name -max_total_time=$(FUZZ_SECONDS) -timeout=5 -verbosity=0 -print_final_stats=1 \
	    -artifact_prefix=$(BUILD)-fuzz/found/$$name- $(BUILD)-fuzz/found/$$name tests/fuzz/corpus/$$name || exit 1; \
	done

$(BUILD)/libfuzzer/%: $(BUILD)/tests/fuzz/%_fuzz.o $(library_objects)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CXX) -fsanitize=address,undefined,fuzzer $(LDFLAGS) -pthread -o $@ $(filter %.o,$^) $(libraries)

.PHONY: fuzz-binaries
fuzz-binaries: $(addprefix $(BUILD)/libfuzzer/,$(fuzz_names))

# --- style ---

sources := $(wildcard src/*/*.cc include/volley/*/*.h tests/main.cc tests/*/*.cc tests/*/*.h tests/unit/*/*.cc)

.PHONY: format
format: ## format the sources with clang-format
	$(Q)$(install_dependencies) tidy
	$(Q)clang-format -i $(sources)

.PHONY: format-check
format-check: ## fail if a source is not formatted
	$(Q)$(install_dependencies) tidy
	$(Q)clang-format --dry-run -Werror $(sources)

.PHONY: tidy
tidy: ## run clang-tidy over src
	$(Q)$(install_dependencies) build tidy
	$(Q)clang-tidy --quiet $(wildcard src/*/*.cc) -- -std=c++20 $(volley_cppflags)

.PHONY: man-lint
man-lint: ## check the man pages with mandoc
	$(Q)mandoc -T lint -W warning man/*.[1-8]

# --- installing ---

man_pages := $(wildcard man/*.[1-8])

.PHONY: install
install: all ## install under PREFIX (/usr/local), staged in DESTDIR
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(DOCDIR) $(addprefix $(DESTDIR)$(MANDIR)/man,$(sort $(patsubst .%,%,$(suffix $(man_pages)))))
	install -m 0755 $(BUILD)/volley $(DESTDIR)$(BINDIR)/volley
	for page in $(man_pages); do install -m 0644 $$page $(DESTDIR)$(MANDIR)/man$${page##*.}/; done
	install -m 0644 README.md CHANGELOG.md LICENSE $(DESTDIR)$(DOCDIR)/

.PHONY: uninstall
uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(BINDIR)/volley
	for page in $(man_pages); do rm -f $(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}; done
	rm -f $(addprefix $(DESTDIR)$(DOCDIR)/,README.md CHANGELOG.md LICENSE)

.PHONY: dist
dist: ## the source tarball dist/volley-VERSION.tar.gz, from what is committed
	@mkdir -p dist
	git archive --format=tar --prefix=volley-$(VERSION)/ HEAD | gzip -n -9 >dist/volley-$(VERSION).tar.gz
	@echo dist/volley-$(VERSION).tar.gz

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-fuzz dist

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

-include tests/lab/lab.mk
-include tests/bench/bench.mk
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

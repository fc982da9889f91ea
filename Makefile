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
CXXFLAGS ?= -O2 -g
HARDENING ?= -fstack-protector-strong -fstack-clash-protection -D_FORTIFY_SOURCE=2 -fPIE
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
# Warnings are errors in CI, not in releases.
WERROR ?= $(if $(CI),-Werror)

V ?= 0
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
.PHONY: all
all: $(BUILD)/volley ## build the program at build/volley

$(BUILD)/volley: $(main_object) $(library_objects)
	$(call say,LD,$@)
	$(Q)$(link)

$(BUILD)/%.o: %.cc Makefile
	@mkdir -p $(@D)
	$(call say,CXX,$<)
	$(Q)$(compile)

# One test binary; `make unit ROOM=wire` builds and runs one room's tests alone.
$(BUILD)/unit: $(BUILD)/tests/main.o $(foreach room,$(ROOMS),$(call test_objects,$(room))) $(patsubst %.cc,$(BUILD)/%.o,$(wildcard tests/sim/*.cc)) $(library_objects)
	$(call say,LD,$@)
	$(Q)$(link)

$(BUILD)/unit-$(ROOM): $(BUILD)/tests/main.o $(call test_objects,$(ROOM)) $(filter-out $(main_object),$(foreach room,$(REACH_$(ROOM)),$(call room_objects,$(room))))
	$(call say,LD,$@)
	$(Q)$(link)

.PHONY: unit
unit: $(BUILD)/unit$(if $(ROOM),-$(ROOM)) ## build and run the unit tests; ROOM=wire: one room's
	$(Q)$<

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

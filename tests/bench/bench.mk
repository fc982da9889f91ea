# The bench: rates, accuracy, cost and scale of volley beside its peers. Included
# by the Makefile. `make bench` takes under ten minutes as root; BENCH_ROUNDS and
# BENCH_SECONDS make it longer or shorter, BENCH_PARTS names the parts to run.

BENCH_ROUNDS ?= 3
BENCH_SECONDS ?= 3
BENCH_PARTS ?=
BENCH_CLANG ?= clang

bench_link = $(CXX) $(CXXFLAGS) $(EXTRA_FLAGS) -pthread -pie -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/bench/far_side: $(BUILD)/tests/bench/far_side.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(bench_link) -lbpf

$(BUILD)/bench/far_side.bpf.o: tests/bench/far_side.bpf.c tests/bench/far_side.h
	@mkdir -p $(@D)
	$(call say,BPF,$<)
	$(Q)$(BENCH_CLANG) -O2 -g -Wall -Wextra -Werror -target bpf -I/usr/include/$$($(CXX) -print-multiarch) -c $< -o $@

$(BUILD)/bench/reference: $(patsubst %.cc,$(BUILD)/%.o,$(wildcard tests/bench/reference*.cc))
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(bench_link)

$(BUILD)/bench/micro: $(patsubst %.cc,$(BUILD)/%.o,$(wildcard tests/bench/micro*.cc)) $(foreach room,$(REACH_stats),$(call room_objects,$(room)))
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(link)

.PHONY: bench-programs
bench-programs: $(addprefix $(BUILD)/bench/,far_side far_side.bpf.o reference micro) ## build the programs of the bench

.PHONY: bench-micro
bench-micro: $(BUILD)/bench/micro ## time the packet path's pieces, in ns each
	$(Q)$<

.PHONY: bench
bench: ## measure volley beside its peers and write tests/bench/RESULTS.md (as root)
	$(Q)$(install_dependencies) build lab bench
	$(Q)$(install_dependencies) peers || echo "  what could not be installed is left out"
	$(Q)$(MAKE) --no-print-directory -j$$(nproc) all lab bench-programs
	$(Q)python3 tests/bench/bench.py --build $(BUILD) --rounds $(BENCH_ROUNDS) --seconds $(BENCH_SECONDS) $(BENCH_PARTS)

# The lab: a software NIC, the target's services, their tests. Included by the
# Makefile, or used as `make -f Makefile -f tests/lab/lab.mk lab`.

lab_nic := frame held_frames impairment nic recorder rss rule tap truth
lab_nic_objects := $(lab_nic:%=$(BUILD)/tests/lab/%.o)
lab_link = $(CXX) $(CXXFLAGS) $(EXTRA_FLAGS) -pthread -pie -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS)

.PHONY: lab
lab: $(BUILD)/lab/softnic $(BUILD)/lab/labd ## build the programs of the lab

$(BUILD)/lab/softnic: $(BUILD)/tests/lab/softnic.o $(lab_nic_objects)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(lab_link)

$(BUILD)/lab/labd: $(BUILD)/tests/lab/labd.o
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(lab_link)

$(BUILD)/lab/softnic_test: $(BUILD)/tests/main.o $(BUILD)/tests/lab/softnic_test.o $(BUILD)/tests/lab/impairment_test.o $(lab_nic_objects)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(lab_link)

.PHONY: lab-unit
lab-unit: $(BUILD)/lab/softnic_test ## build and run the unit tests of the lab's own code
	$(Q)$<

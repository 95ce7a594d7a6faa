package dev.kubeinformer.test.internal.builtin;

import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules for PersistentVolumeClaims, PersistentVolumes and StorageClasses.
 */
final class StorageRules {

	private static final String[] MODES = { "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod" };

	private static final List<String> SOURCES = List.of("hostPath", "gcePersistentDisk", "awsElasticBlockStore",
			"glusterfs", "flocker", "nfs", "rbd", "quobyte", "cephfs", "iscsi", "cinder", "fc", "flexVolume",
			"azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "azureDisk", "scaleIO", "local",
			"storageos", "csi");

	private StorageRules() {
	}

	static void claim(Part claim) {
		claimSpec(claim.at("spec"));
	}

	static void claimSpec(Part spec) {
		Part modes = spec.at("accessModes");
		if (modes.size() == 0) {
			modes.required("at least 1 access mode is required");
		}
		MetadataRules.selector(spec.at("selector"));
		accessModes(modes);
		Part storage = spec.at("resources.requests").key("storage").as(spec.path() + ".resources[storage]");
		if (!storage.isSet()) {
			storage.required();
		}
		else if (QuantityValue.of(storage.node()).signum() <= 0) {
			storage.invalid("\"" + storage.text() + "\"", "must be greater than zero");
		}
		MetadataRules.name(spec.at("storageClassName"), Formats::dnsSubdomain);
		spec.ifSet("volumeMode", (mode) -> mode.oneOf("Block", "Filesystem"));
	}

	private static void accessModes(Part modes) {
		boolean exclusive = false;
		boolean other = false;
		for (Part mode : modes.items()) {
			if (!List.of(MODES).contains(mode.text())) {
				mode.as(modes.path()).unsupported(MODES);
			}
			else {
				exclusive |= "ReadWriteOncePod".equals(mode.text());
				other |= !"ReadWriteOncePod".equals(mode.text());
			}
		}
		if (exclusive && other) {
			modes.forbidden("may not use ReadWriteOncePod with other access modes");
		}
	}

	static void claimUpdate(Part claim, JsonNode before) {
		boolean bound = "Bound".equals(claim.text("status.phase"));
		JsonNode fixed = fixed(claim.node().path("spec"), before.path("spec"), bound);
		JsonNode fixedBefore = fixed(before.path("spec"), before.path("spec"), bound);
		if (!fixed.equals(fixedBefore)) {
			claim.at("spec")
				.forbidden("spec is immutable after creation except resources.requests and volumeAttributesClassName "
						+ "for bound claims\n" + PodRules.differences(fixedBefore, fixed));
		}
		JsonNode was = before.path("spec").path("resources").path("requests").path("storage");
		Part size = claim.at("spec.resources.requests.storage");
		JsonNode capacity = before.path("status").path("capacity").path("storage");
		if (QuantityValue.of(size.node()).compareTo(QuantityValue.of(was)) < 0
				&& QuantityValue.of(size.node()).compareTo(QuantityValue.of(capacity)) <= 0) {
			size.forbidden("field can not be less than status.capacity");
		}
		claim.at("spec.volumeMode").as("volumeMode").immutable(before.path("spec").path("volumeMode"));
	}

	// Returns the specification without the fields that may change.
	private static JsonNode fixed(JsonNode spec, JsonNode before, boolean bound) {
		if (!(spec.deepCopy() instanceof ObjectNode fixed)) {
			return spec;
		}
		// The controller sets the volume name once, when it binds the claim.
		if (before.path("volumeName").asString("").isEmpty()) {
			fixed.remove("volumeName");
		}
		if (before.path("storageClassName").isMissingNode()) {
			fixed.remove("storageClassName");
		}
		if (bound) {
			fixed.remove("volumeAttributesClassName");
			if (fixed.path("resources").path("requests") instanceof ObjectNode requests) {
				requests.remove("storage");
			}
		}
		return fixed;
	}

	static void volume(Part volume) {
		Part spec = volume.at("spec");
		Part modes = spec.at("accessModes");
		if (modes.size() == 0) {
			modes.required();
		}
		accessModes(modes);
		Part capacity = spec.at("capacity");
		if (capacity.size() == 0) {
			capacity.required();
		}
		if (capacity.size() != 1 || !capacity.key("storage").isSet()) {
			capacity.unsupported("storage");
		}
		capacity.eachKey((name, quantity) -> {
			if (QuantityValue.of(quantity.node()).signum() <= 0) {
				quantity.invalid("\"" + quantity.text() + "\"", "must be greater than zero");
			}
		});
		Part policy = spec.at("persistentVolumeReclaimPolicy");
		if (!policy.isEmpty()) {
			policy.oneOf("Delete", "Recycle", "Retain");
		}
		boolean source = false;
		for (String kind : SOURCES) {
			if (spec.has(kind)) {
				if (source) {
					spec.at(kind).forbidden("may not specify more than 1 volume type");
				}
				source = true;
			}
		}
		if (!source) {
			spec.required("must specify a volume type");
		}
		spec.ifSet("hostPath", VolumeRules::hostPath);
		MetadataRules.name(spec.at("storageClassName"), Formats::dnsSubdomain);
		spec.ifSet("volumeMode", (mode) -> mode.oneOf("Block", "Filesystem"));
	}

	static void volumeUpdate(Part volume, JsonNode before) {
		Part spec = volume.at("spec");
		JsonNode old = before.path("spec");
		if (!Formats.same(source(spec.node()), source(old))) {
			spec.at("persistentvolumesource")
				.forbidden("spec.persistentvolumesource is immutable after creation\n"
						+ PodRules.differences(source(old), source(spec.node())));
		}
		spec.at("volumeMode").as("volumeMode").immutable(old.path("volumeMode"));
	}

	private static JsonNode source(JsonNode spec) {
		return (spec.deepCopy() instanceof ObjectNode copy) ? copy.retain(SOURCES) : spec;
	}

	static void storageClass(Part storage) {
		Part provisioner = storage.at("provisioner");
		MetadataRules.requiredName(provisioner, Formats::annotationKey);
		storage.ifSet("reclaimPolicy", (policy) -> {
			if (!policy.isEmpty()) {
				policy.oneOf("Delete", "Retain");
			}
		});
		Part binding = storage.at("volumeBindingMode");
		if (binding.isSet()) {
			binding.oneOf("Immediate", "WaitForFirstConsumer");
		}
		else {
			binding.required();
		}
	}

	static void storageClassUpdate(Part storage, JsonNode before) {
		for (String field : new String[] { "parameters", "provisioner", "reclaimPolicy", "volumeBindingMode" }) {
			storage.at(field).immutable(before.path(field));
		}
	}

}

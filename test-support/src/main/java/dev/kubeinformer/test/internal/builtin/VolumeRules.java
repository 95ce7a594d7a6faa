package dev.kubeinformer.test.internal.builtin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.status.Rejection;

/**
 * Rules for volumes of a Pod and their mounts.
 */
final class VolumeRules {

	// Sources of volumes in the order in which kube-apiserver checks them.
	private static final List<String> SOURCES = List.of("emptyDir", "hostPath", "gitRepo", "gcePersistentDisk",
			"awsElasticBlockStore", "secret", "nfs", "iscsi", "glusterfs", "flocker", "persistentVolumeClaim", "rbd",
			"cinder", "cephfs", "quobyte", "downwardAPI", "fc", "flexVolume", "configMap", "azureFile", "vsphereVolume",
			"photonPersistentDisk", "portworxVolume", "azureDisk", "storageos", "projected", "scaleIO", "csi",
			"ephemeral", "image");

	private static final String MODE = "must be a number between 0 and 0777 (octal), both inclusive";

	private VolumeRules() {
	}

	/**
	 * Checks volumes.
	 * @param volumes the volumes
	 * @return the valid volumes by name
	 */
	static Map<String, JsonNode> volumes(Part volumes) {
		Map<String, JsonNode> valid = new HashMap<>();
		List<Rejection> rejections = volumes.rejections();
		for (Part volume : volumes.items()) {
			int before = rejections.size();
			source(volume);
			Part name = volume.at("name");
			MetadataRules.requiredName(name, Formats::dnsLabel);
			if (valid.containsKey(name.text())) {
				name.duplicate();
			}
			if (rejections.size() == before) {
				valid.put(name.text(), volume.node());
			}
		}
		return valid;
	}

	private static void source(Part volume) {
		int sources = 0;
		for (String kind : SOURCES) {
			Part source = volume.at(kind);
			if (!source.isSet()) {
				continue;
			}
			if (sources > 0) {
				source.forbidden("may not specify more than 1 volume type");
				continue;
			}
			sources++;
			switch (kind) {
				case "emptyDir" -> source.ifSet("sizeLimit", (limit) -> {
					if (QuantityValue.of(limit.node()).signum() < 0) {
						limit.forbidden("SizeLimit field must be a valid resource quantity");
					}
				});
				case "hostPath" -> hostPath(source);
				case "secret" -> files(source, "secretName");
				case "configMap" -> files(source, "name");
				case "persistentVolumeClaim" -> requireText(source.at("claimName"));
				case "nfs" -> {
					requireText(source.at("server"));
					requireText(source.at("path"));
					if (!source.text("path").startsWith("/")) {
						source.at("path").invalid("must be an absolute path");
					}
				}
				case "csi" -> requireText(source.at("driver"));
				case "projected" -> projected(source);
				default -> {
				}
			}
		}
		if (sources == 0) {
			volume.required("must specify a volume type");
		}
	}

	static void hostPath(Part source) {
		if (source.at("path").isEmpty()) {
			source.at("path").required();
			return;
		}
		noBacksteps(source.at("path"));
		source.ifSet("type", (type) -> type.oneOf("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate",
				"File", "FileOrCreate", "Socket"));
	}

	private static void files(Part source, String name) {
		requireText(source.at(name));
		source.ifSet("defaultMode", VolumeRules::mode);
		items(source.at("items"));
	}

	private static void items(Part items) {
		for (Part item : items.items()) {
			requireText(item.at("key"));
			requireText(item.at("path"));
			Part path = item.at("path");
			relative(path, path);
			if (path.text().startsWith("..") && !path.text().startsWith("../")) {
				path.invalid("must not start with '..'");
			}
			item.ifSet("mode", VolumeRules::mode);
		}
	}

	private static void projected(Part source) {
		source.ifSet("defaultMode", VolumeRules::mode);
		for (Part part : source.at("sources").items()) {
			int kinds = 0;
			for (String kind : List.of("secret", "configMap", "downwardAPI", "serviceAccountToken",
					"clusterTrustBundle", "podCertificate")) {
				Part projection = part.at(kind);
				if (!projection.isSet()) {
					continue;
				}
				if (kinds++ > 0) {
					projection.forbidden("may not specify more than 1 volume type per source");
				}
				else if ("secret".equals(kind) || "configMap".equals(kind)) {
					requireText(projection.at("name"));
					items(projection.at("items"));
				}
			}
			if (kinds == 0) {
				part.required("must specify a source");
			}
		}
	}

	private static void mode(Part mode) {
		if (mode.number() < 0 || mode.number() > 0777) {
			mode.invalid(MODE);
		}
	}

	static void requireText(Part text) {
		if (text.isEmpty()) {
			text.required();
		}
	}

	private static void relative(Part path, Part reported) {
		if (path.text().startsWith("/")) {
			reported.invalid("must be a relative path");
		}
		noBacksteps(reported);
	}

	private static void noBacksteps(Part path) {
		if (List.of(path.text().split("/")).contains("..")) {
			path.invalid("must not contain '..'");
		}
	}

	/**
	 * Checks the mounts of a container.
	 * @param container the container
	 * @param volumes the valid volumes by name
	 */
	static void mounts(Part container, Map<String, JsonNode> volumes) {
		Set<String> devices = new HashSet<>();
		Set<String> devicePaths = new HashSet<>();
		container.at("volumeDevices").items().forEach((device) -> {
			devices.add(device.text("name"));
			devicePaths.add(device.text("devicePath"));
		});
		Set<String> paths = new HashSet<>();
		Part mounts = container.at("volumeMounts");
		for (Part mount : mounts.items()) {
			Part name = mount.at("name");
			requireText(name);
			if (!volumes.containsKey(name.text())) {
				name.notFound();
			}
			Part path = mount.at("mountPath");
			requireText(path);
			if (!paths.add(path.text())) {
				path.invalid("must be unique");
			}
			if (devices.contains(name.text())) {
				name.invalid("must not already exist in volumeDevices");
			}
			if (devicePaths.contains(path.text())) {
				path.invalid("must not already exist as a path in volumeDevices");
			}
			// kube-apiserver omits the index of the mount.
			if (!mount.at("subPath").isEmpty()) {
				Part subPath = mount.at("subPath").as(mounts.path() + ".subPath");
				relative(subPath, subPath);
			}
		}
	}

}

package dev.kubeinformer.test.internal.builtin;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules for Pods and pod templates (ValidatePodSpec and ValidatePodUpdate of
 * kube-apiserver).
 */
final class PodRules {

	private static final String ANY_NUMBER = "must be between 1 and 2147483647, inclusive";

	private static final String UPDATABLE = "pod updates may not change fields other than `spec.containers[*].image`,"
			+ "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to "
			+ "existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
			+ "previously negative)";

	private PodRules() {
	}

	static void pod(Part pod) {
		Part spec = pod.at("spec");
		spec(spec);
		spec.at("terminationGracePeriodSeconds").notNegative();
		trimmedImages(spec.at("containers"));
		trimmedImages(spec.at("initContainers"));
	}

	static void podCreate(Part pod) {
		pod(pod);
		Part spec = pod.at("spec");
		if (spec.at("ephemeralContainers").size() > 0) {
			spec.at("ephemeralContainers").forbidden("cannot be set on create");
		}
		if (!spec.at("nodeName").isEmpty() && spec.at("schedulingGates").size() > 0) {
			spec.at("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
		}
	}

	private static void trimmedImages(Part containers) {
		for (Part container : containers.items()) {
			Part image = container.at("image");
			if (!image.text().equals(image.text().strip())) {
				image.invalid("must not have leading or trailing whitespace");
			}
		}
	}

	static void template(Part template) {
		MetadataRules.labels(template.at("metadata.labels").as(template.path() + ".labels"));
		MetadataRules.annotations(template.at("metadata.annotations").as(template.path() + ".annotations"));
		spec(template.at("spec"));
		if (template.at("spec.ephemeralContainers").size() > 0) {
			template.at("spec.ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
		}
	}

	private static void spec(Part spec) {
		Map<String, JsonNode> volumes = VolumeRules.volumes(spec.at("volumes"));
		ContainerRules.containers(spec, volumes);
		hostNetwork(spec);
		spec.at("restartPolicy").requiredOneOf("Always", "OnFailure", "Never");
		spec.at("dnsPolicy").requiredOneOf("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
		MetadataRules.labels(spec.at("nodeSelector"));
		spec.at("securityContext").ifSet("runAsUser", PodRules::id);
		spec.at("securityContext").ifSet("runAsGroup", PodRules::id);
		AffinityRules.affinity(spec.at("affinity"));
		spec.at("readinessGates")
			.items()
			.forEach((gate) -> gate.at("conditionType").invalid(Formats.labelKey(gate.text("conditionType"))));
		AffinityRules.spreads(spec.at("topologySpreadConstraints"));
		MetadataRules.name(spec.at("serviceAccountName"), Formats::dnsSubdomain);
		MetadataRules.name(spec.at("nodeName"), Formats::dnsSubdomain);
		spec.ifSet("activeDeadlineSeconds", (seconds) -> {
			if (seconds.number() < 1 || seconds.number() > Integer.MAX_VALUE) {
				seconds.invalid(ANY_NUMBER);
			}
		});
		MetadataRules.name(spec.at("hostname"), Formats::dnsLabel);
		MetadataRules.name(spec.at("subdomain"), Formats::dnsLabel);
		tolerations(spec.at("tolerations"));
		MetadataRules.name(spec.at("priorityClassName"), Formats::dnsSubdomain);
		spec.ifSet("runtimeClassName", (name) -> name.invalid(Formats.dnsSubdomain(name.text())));
		spec.ifSet("preemptionPolicy", (policy) -> policy.requiredOneOf("PreemptLowerPriority", "Never"));
	}

	static void id(Part id) {
		if (id.number() < 0 || id.number() > Integer.MAX_VALUE) {
			id.invalid("must be between 0 and 2147483647, inclusive");
		}
	}

	// With hostNetwork, a host port must equal its container port.
	private static void hostNetwork(Part spec) {
		if (!spec.flag("hostNetwork")) {
			return;
		}
		for (Part container : spec.at("containers").items()) {
			for (Part port : container.at("ports").items()) {
				Part hostPort = port.at("hostPort");
				if (hostPort.number() != 0 && hostPort.number() != port.number("containerPort")) {
					hostPort.invalid("must match `containerPort` when `hostNetwork` is true");
				}
			}
		}
	}

	private static void tolerations(Part tolerations) {
		for (Part toleration : tolerations.items()) {
			String key = toleration.text("key");
			Part operator = toleration.at("operator");
			Part effect = toleration.at("effect");
			String value = Part.shown(toleration.at("value").node());
			if (!key.isEmpty()) {
				toleration.at("key").invalid(Formats.labelKey(key));
			}
			if (key.isEmpty() && !"Exists".equals(operator.text())) {
				operator.invalid("operator must be Exists when `key` is empty, which means \"match all values and all "
						+ "keys\"");
			}
			if (toleration.has("tolerationSeconds") && !"NoExecute".equals(effect.text())) {
				effect.invalid("effect must be 'NoExecute' when `tolerationSeconds` is set");
			}
			switch (operator.text()) {
				case "Equal", "" -> {
					List<String> wrong = Formats.labelValue(toleration.text("value"));
					if (!wrong.isEmpty()) {
						operator.invalid(value, String.join(";", wrong));
					}
				}
				case "Exists" -> {
					if (!toleration.text("value").isEmpty()) {
						operator.invalid(value, "value must be empty when `operator` is 'Exists'");
					}
				}
				default -> operator.unsupported("Equal", "Exists");
			}
			if (!effect.isEmpty()) {
				effect.oneOf("NoSchedule", "PreferNoSchedule", "NoExecute");
			}
		}
	}

	static void podUpdate(Part pod, JsonNode before) {
		Part spec = pod.at("spec");
		JsonNode old = before.path("spec");
		for (String kind : List.of("containers", "initContainers")) {
			Part containers = spec.at(kind);
			if (containers.size() != old.path(kind).size()) {
				containers.forbidden("pod updates may not add or remove containers");
				return;
			}
			for (Part container : containers.items()) {
				if (container.at("image").isEmpty()) {
					container.at("image").required();
				}
			}
			trimmedImages(containers);
		}
		if (!deadlineMayChange(spec.at("activeDeadlineSeconds"), old.path("activeDeadlineSeconds"))) {
			return;
		}
		if (isTolerationLost(spec.at("tolerations").node(), old.path("tolerations"))) {
			spec.at("tolerations").forbidden("existing toleration can not be modified except its tolerationSeconds");
		}
		for (JsonNode gate : spec.at("schedulingGates").node()) {
			boolean known = false;
			for (JsonNode oldGate : old.path("schedulingGates")) {
				known |= oldGate.equals(gate);
			}
			if (!known) {
				spec.at("schedulingGates")
					.forbidden("only deletion is allowed, but found new scheduling gate '"
							+ gate.path("name").asString("") + "'");
			}
		}
		JsonNode fixed = fixed(spec.node(), old);
		JsonNode fixedBefore = fixed(old, old);
		if (!fixed.equals(fixedBefore)) {
			spec.forbidden(UPDATABLE + "\n" + differences(fixedBefore, fixed));
		}
	}

	private static boolean deadlineMayChange(Part deadline, JsonNode before) {
		if (!deadline.isSet()) {
			if (before.isNumber()) {
				deadline.invalid("null", "must not update from a positive integer to nil value");
			}
			return true;
		}
		if (deadline.number() < 0 || deadline.number() > Integer.MAX_VALUE) {
			deadline.invalid("must be between 0 and 2147483647, inclusive");
			return false;
		}
		if (before.isNumber() && before.asLong() < deadline.number()) {
			deadline.invalid("must be less than or equal to previous value");
			return false;
		}
		return true;
	}

	private static boolean isTolerationLost(JsonNode tolerations, JsonNode before) {
		for (JsonNode old : before) {
			boolean found = false;
			for (JsonNode toleration : tolerations) {
				found |= Formats.without(old, "tolerationSeconds")
					.equals(Formats.without(toleration, "tolerationSeconds"));
			}
			if (!found) {
				return true;
			}
		}
		return false;
	}

	// Returns the specification without the fields that may change.
	private static JsonNode fixed(JsonNode spec, JsonNode before) {
		JsonNode fixed = Formats.without(spec, "activeDeadlineSeconds", "tolerations", "schedulingGates");
		if (before.path("terminationGracePeriodSeconds").asLong(0) < 0
				&& spec.path("terminationGracePeriodSeconds").asLong(0) == 1) {
			((ObjectNode) fixed).set("terminationGracePeriodSeconds", before.get("terminationGracePeriodSeconds"));
		}
		if (before.path("schedulingGates").size() > 0) {
			((ObjectNode) fixed).remove("nodeSelector");
			if (fixed.path("affinity") instanceof ObjectNode affinity) {
				affinity.remove("nodeAffinity");
			}
		}
		for (String kind : List.of("containers", "initContainers")) {
			if (fixed.path(kind) instanceof ArrayNode containers) {
				containers.forEach((container) -> ((ObjectNode) container).remove("image"));
			}
		}
		return fixed;
	}

	// Describes the differences. kube-apiserver shows a diff of Go structures instead.
	static String differences(JsonNode before, JsonNode after) {
		StringBuilder text = new StringBuilder();
		TreeSet<String> names = new TreeSet<>();
		before.properties().forEach((entry) -> names.add(entry.getKey()));
		after.properties().forEach((entry) -> names.add(entry.getKey()));
		for (String name : names) {
			if (!before.path(name).equals(after.path(name))) {
				text.append("- ").append(name).append(": ").append(before.path(name)).append('\n');
				text.append("+ ").append(name).append(": ").append(after.path(name)).append('\n');
			}
		}
		return text.toString();
	}

}

package dev.kubeinformer.test.internal.builtin;

import java.math.BigDecimal;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/**
 * Rules for quantities of resources, and for ResourceQuotas.
 */
final class ResourceRules {

	private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");

	private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage", "requests.cpu",
			"requests.memory", "requests.ephemeral-storage", "limits.cpu", "limits.memory", "limits.ephemeral-storage",
			"pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
			"persistentvolumeclaims", "storage", "requests.storage", "services.nodeports", "services.loadbalancers");

	private static final Set<String> OF_QUOTAS = Set.of("cpu", "memory", "ephemeral-storage", "requests.cpu",
			"requests.memory", "requests.storage", "requests.ephemeral-storage", "limits.cpu", "limits.memory",
			"limits.ephemeral-storage", "pods", "resourcequotas", "services", "replicationcontrollers", "secrets",
			"persistentvolumeclaims", "configmaps", "services.nodeports", "services.loadbalancers");

	private static final Set<String> INTEGERS = Set.of("pods", "resourcequotas", "services", "replicationcontrollers",
			"secrets", "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers");

	private ResourceRules() {
	}

	static void requirements(Part resources) {
		Part limits = resources.at("limits");
		Part requests = resources.at("requests");
		limits.eachKey((name, quantity) -> {
			containerName(name, quantity);
			quantity(name, quantity);
		});
		requests.eachKey((name, quantity) -> {
			containerName(name, quantity);
			quantity(name, quantity);
			JsonNode limit = limits.node().path(name);
			if (limit.isMissingNode()) {
				if (!isOvercommitAllowed(name)) {
					limits.required("Limit must be set for non overcommitable resources");
				}
				return;
			}
			int compared = QuantityValue.of(quantity.node()).compareTo(QuantityValue.of(limit));
			String shown = "\"" + quantity.text() + "\"";
			if (compared != 0 && !isOvercommitAllowed(name)) {
				requests.invalid(shown, "must be equal to " + name + " limit of " + limit.asString(""));
			}
			else if (compared > 0) {
				requests.invalid(shown, "must be less than or equal to " + name + " limit of " + limit.asString(""));
			}
		});
	}

	private static boolean isOvercommitAllowed(String name) {
		return isNative(name) && !isHugePages(name);
	}

	private static boolean isNative(String name) {
		return !name.contains("/") || name.contains("kubernetes.io/");
	}

	private static boolean isHugePages(String name) {
		return name.startsWith("hugepages-");
	}

	private static void containerName(String name, Part quantity) {
		String shown = "\"" + name + "\"";
		if (resourceName(name, quantity)) {
			if (!name.contains("/") && !OF_CONTAINERS.contains(name) && !isHugePages(name)) {
				quantity.invalid(shown, "must be a standard resource for containers");
			}
			else if (!isNative(name) && name.startsWith("requests.")) {
				quantity.invalid(shown, "doesn't follow extended resource name standard");
			}
		}
		else if (!name.contains("/")) {
			quantity.invalid(shown, "must be a standard resource for containers");
		}
	}

	private static boolean resourceName(String name, Part quantity) {
		String shown = "\"" + name + "\"";
		var wrong = Formats.labelKey(name);
		wrong.forEach((why) -> quantity.invalid(shown, why));
		if (wrong.isEmpty() && !name.contains("/") && !STANDARD.contains(name) && !isHugePages(name)
				&& !name.startsWith("requests.hugepages-")) {
			quantity.invalid(shown, "must be a standard resource type or fully qualified");
			return false;
		}
		return wrong.isEmpty();
	}

	static void quantity(String name, Part quantity) {
		BigDecimal value = QuantityValue.of(quantity.node());
		String shown = "\"" + quantity.text() + "\"";
		if (value.signum() < 0) {
			quantity.invalid(shown, "must be greater than or equal to 0");
		}
		boolean whole = value.stripTrailingZeros().scale() <= 0;
		boolean extended = !isNative(name) && name.contains("/");
		if (!whole && (INTEGERS.contains(name) || extended)) {
			quantity.invalid(shown, "must be an integer");
		}
	}

	static void quota(Part quota) {
		quota.at("spec.hard").eachKey((name, quantity) -> {
			if (resourceName(name, quantity) && !name.contains("/") && !OF_QUOTAS.contains(name) && !isHugePages(name)
					&& !name.startsWith("requests.hugepages-")) {
				quantity.invalid("\"" + name + "\"", "must be a standard resource for quota");
			}
			quantity(name, quantity);
		});
		Part scopes = quota.at("spec.scopes");
		for (Part scope : scopes.items()) {
			if (!Set
				.of("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass",
						"CrossNamespacePodAffinity", "VolumeAttributesClass")
				.contains(scope.text())) {
				scopes.invalid("unsupported scope");
			}
		}
	}

}

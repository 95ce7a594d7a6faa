package dev.kubeinformer.test.internal.write;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.RequestFailure;

/**
 * Rules for Leases of {@code coordination.k8s.io} (apis/coordination/validation of
 * kube-apiserver).
 */
final class LeaseRules {

	private static final GroupResource LEASES = new GroupResource("coordination.k8s.io", "leases");

	// Only strategy that Kubernetes defines. Custom strategies contain a slash.
	private static final String STRATEGY = "OldestEmulationVersion";

	private LeaseRules() {
	}

	/**
	 * Writes the times of a Lease in the server's format.
	 * @param type the resource; only Leases are changed
	 * @param lease the Lease
	 * @throws RequestFailure 400 if a value is not a time
	 */
	static void normalize(ResourceDefinition type, JsonNode lease) {
		if (LEASES.equals(type.resource())) {
			MicroTimes.normalize(type, lease.path("spec"), "acquireTime");
			MicroTimes.normalize(type, lease.path("spec"), "renewTime");
		}
	}

	/**
	 * Checks a Lease that a client writes.
	 * @param type the resource; only Leases are checked
	 * @param lease the Lease
	 * @throws RequestFailure 422 if it is not valid
	 */
	static void check(ResourceDefinition type, JsonNode lease) {
		List<Rejection> rejections = rejections(type, lease);
		if (!rejections.isEmpty()) {
			throw Rejection.of(type, lease.path("metadata").path("name").asString(""),
					rejections.toArray(Rejection[]::new));
		}
	}

	static List<Rejection> rejections(ResourceDefinition type, JsonNode lease) {
		if (!LEASES.equals(type.resource())) {
			return List.of();
		}
		JsonNode spec = lease.path("spec");
		List<Rejection> rejections = new ArrayList<>();
		checkAtLeast(spec, "leaseDurationSeconds", 1, "must be greater than 0", rejections);
		checkAtLeast(spec, "leaseTransitions", 0, "must be greater than or equal to 0", rejections);
		String strategy = Json.text(spec, "strategy");
		if (strategy != null && !STRATEGY.equals(strategy) && !strategy.contains("/")) {
			rejections
				.add(Rejection.unsupported("spec.strategy.strategy", "\"" + strategy + "\"", "\"" + STRATEGY + "\""));
		}
		if (Json.text(spec, "preferredHolder") != null && strategy == null) {
			rejections
				.add(Rejection.forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined"));
		}
		return rejections;
	}

	private static void checkAtLeast(JsonNode spec, String field, int least, String why, List<Rejection> rejections) {
		JsonNode number = spec.path(field);
		if (number.isNumber() && number.asInt() < least) {
			rejections
				.add(new Rejection("spec." + field, "FieldValueInvalid", "Invalid value: " + number + ": " + why));
		}
	}

}

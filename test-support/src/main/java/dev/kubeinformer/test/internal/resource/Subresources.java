package dev.kubeinformer.test.internal.resource;

import java.util.Arrays;
import java.util.Set;

/**
 * Knows which resources have the subresources "status" and "scale", and which resources
 * an update creates if they do not exist.
 */
public final class Subresources {

	/**
	 * Name of the status subresource, and of its field.
	 */
	public static final String STATUS = "status";

	/**
	 * Name of the scale subresource.
	 */
	public static final String SCALE = "scale";

	private static final Set<String> WITH_SCALE = names(
			"replicationcontrollers deployments.apps replicasets.apps statefulsets.apps");

	private static final Set<String> CREATED_BY_UPDATE = names("endpoints events limitranges services "
			+ "events.events.k8s.io clusterrolebindings.rbac.authorization.k8s.io clusterroles.rbac.authorization.k8s.io "
			+ "rolebindings.rbac.authorization.k8s.io roles.rbac.authorization.k8s.io leases.coordination.k8s.io "
			+ "runtimeclasses.node.k8s.io");

	// Old groups: their status strategies keep only the spec, so a write of the status
	// also writes metadata.
	private static final Set<String> METADATA_WITH_STATUS = Set.of("", "apps", "batch", "networking.k8s.io", "policy",
			"autoscaling");

	private Subresources() {
	}

	private static Set<String> names(String names) {
		return Set.copyOf(Arrays.asList(names.split(" ")));
	}

	public static boolean isServed(ResourceDefinition type, String subresource) {
		return switch (subresource) {
			case STATUS -> type.hasStatus();
			case SCALE -> hasScale(type);
			default -> false;
		};
	}

	// Whether the status of a resource is written only through its subresource.
	public static boolean hasStatus(ResourceDefinition type) {
		return type.hasStatus();
	}

	// Whether a write of the status also writes labels, annotations, finalizers and
	// owners.
	public static boolean isMetadataWrittenWithStatus(ResourceDefinition type) {
		return METADATA_WITH_STATUS.contains(type.group()) && !type.isCustom();
	}

	public static boolean hasScale(ResourceDefinition type) {
		return (type.isCustom()) ? type.traits().scale() != null : WITH_SCALE.contains(type.resource().toString());
	}

	public static boolean isCreatedByUpdate(ResourceDefinition type) {
		return CREATED_BY_UPDATE.contains(type.resource().toString());
	}

}

package dev.kubeinformer.definitions;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1JSONSchemaProps;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Knowledge about the models of the official client that their classes do not show: which
 * of their fields are required, and the list types and defaults of the published schemas
 * ({@code api/openapi-spec} of kubernetes/kubernetes).
 */
final class OfficialModels {

	/**
	 * Keys of lists, by the class of the elements. Each list of such elements has
	 * {@code x-kubernetes-list-type: map} in the API.
	 */
	private static final Map<String, List<String>> KEYS = Map.ofEntries(Map.entry("V1Condition", List.of("type")),
			Map.entry("V1Container", List.of("name")), Map.entry("V1EphemeralContainer", List.of("name")),
			Map.entry("V1EnvVar", List.of("name")), Map.entry("V1Volume", List.of("name")),
			Map.entry("V1VolumeMount", List.of("mountPath")), Map.entry("V1VolumeDevice", List.of("devicePath")),
			Map.entry("V1ContainerPort", List.of("containerPort", "protocol")),
			Map.entry("V1ServicePort", List.of("port", "protocol")), Map.entry("V1HostAlias", List.of("ip")),
			Map.entry("V1TopologySpreadConstraint", List.of("topologyKey", "whenUnsatisfiable")),
			Map.entry("V1PodSchedulingGate", List.of("name")), Map.entry("V1PodResourceClaim", List.of("name")),
			Map.entry("CoreV1ResourceClaim", List.of("name")), Map.entry("V1PodCondition", List.of("type")),
			Map.entry("V1DeploymentCondition", List.of("type")), Map.entry("V1OwnerReference", List.of("uid")));

	/**
	 * Defaults of fields that are keys of a list but are not required, by class and
	 * field.
	 */
	private static final Map<String, Object> DEFAULTS = Map.of("V1ContainerPort.protocol", "TCP",
			"V1ServicePort.protocol", "TCP");

	/** Fields that clients in Go write as {@code null} if they are not set. */
	private static final Set<String> NULLABLE = Set.of("V1ObjectMeta.creationTimestamp");

	/** Models that are {@code x-kubernetes-map-type: atomic} in the published schemas. */
	private static final Set<String> ATOMIC = Set.of("V1LabelSelector", "V1LocalObjectReference", "V1ObjectReference",
			"V1SecretKeySelector", "V1ConfigMapKeySelector", "V1ObjectFieldSelector", "V1ResourceFieldSelector",
			"V1NodeSelector", "V1NodeSelectorTerm", "V1OwnerReference", "V1TypedLocalObjectReference",
			"V1SecretReference", "V1TypedObjectReference");

	/** Fields that only the API server writes, and clients leave out. */
	private static final Set<String> HIDDEN = Set.of("V1ObjectMeta.managedFields", "V1ObjectMeta.selfLink");

	private static final String PACKAGE = V1ObjectMeta.class.getPackageName();

	private OfficialModels() {
	}

	static boolean contains(Class<?> type) {
		return type.getPackageName().equals(PACKAGE);
	}

	/**
	 * Returns the fields that the API requires.
	 * @param type a model of the official client
	 * @return their names in JSON
	 */
	static Set<String> required(Class<?> type) {
		try {
			Field field = type.getField("openapiRequiredFields");
			return ((Collection<?>) field.get(null)).stream().map(String::valueOf).collect(Collectors.toSet());
		}
		catch (ReflectiveOperationException ex) {
			// The models of other versions of the client may not say it.
			return Set.of();
		}
	}

	/**
	 * Adds the list type and the default in the published schema of a field.
	 * @param schema the schema of the field, which is changed
	 * @param field the field
	 */
	static void complete(V1JSONSchemaProps schema, ModelField field) {
		String key = key(field);
		Object value = DEFAULTS.get(key);
		if (value != null) {
			schema.setDefault(value);
		}
		if (NULLABLE.contains(key)) {
			schema.setNullable(true);
		}
	}

	private static String key(ModelField field) {
		return field.field().getDeclaringClass().getSimpleName() + "." + field.name();
	}

	static boolean isHidden(ModelField field) {
		return contains(field.field().getDeclaringClass()) && HIDDEN.contains(key(field));
	}

	static boolean isAtomic(Class<?> type) {
		return contains(type) && ATOMIC.contains(type.getSimpleName());
	}

	/**
	 * Returns the keys of lists of a model.
	 * @param element the class of the elements
	 * @return the keys; none if such lists are atomic
	 */
	static List<String> keys(Class<?> element) {
		List<String> keys = contains(element) ? KEYS.get(element.getSimpleName()) : null;
		return (keys != null) ? keys : List.of();
	}

}

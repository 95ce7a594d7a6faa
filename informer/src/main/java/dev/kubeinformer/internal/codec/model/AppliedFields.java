package dev.kubeinformer.internal.codec.model;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Rules of the API server for the fields of one official model class in server-side
 * apply: how it merges lists and maps, and which values it omits or adds.
 */
final class AppliedFields {

	/**
	 * Merge rules of the schemas of Kubernetes 1.31 to 1.37
	 * ({@code x-kubernetes-list-type}, {@code x-kubernetes-list-map-keys},
	 * {@code x-kubernetes-map-type}). A list that is merged by keys has the names of its
	 * keys, and a list that is merged as a set has {@code set}. An atomic value, which is
	 * replaced, has {@code !}. All other lists are replaced, all other maps are merged.
	 */
	static final String MERGED = """
			CoreV1EndpointPort !
			DiscoveryV1EndpointPort !
			RbacV1Subject !
			V1CSIDriverSpec volumeLifecycleModes=set
			V1CSINodeSpec drivers=name
			V1ConfigMapKeySelector !
			V1Container env=name ports=containerPort,protocol volumeDevices=devicePath volumeMounts=mountPath
			V1ContainerRestartRuleOnExitCodes values=set
			V1CrossVersionObjectReference !
			V1Endpoint addresses=set
			V1EndpointAddress !
			V1EphemeralContainer env=name ports=containerPort,protocol volumeDevices=devicePath volumeMounts=mountPath
			V1FileKeySelector !
			V1JSONSchemaProps x-kubernetes-validations=rule
			V1LabelSelector !
			V1LocalObjectReference !
			V1MatchResources !
			V1MutatingAdmissionPolicySpec matchConditions=name
			V1MutatingWebhook matchConditions=name
			V1MutatingWebhookConfiguration webhooks=name
			V1NamedRuleWithOperations !
			V1NodeSelector !
			V1NodeSelectorTerm !
			V1NodeSpec podCIDRs=set
			V1NonResourcePolicyRule nonResourceURLs=set verbs=set
			V1ObjectFieldSelector !
			V1ObjectMeta finalizers=set ownerReferences=uid
			V1ObjectReference !
			V1OwnerReference !
			V1ParamKind !
			V1ParamRef !
			V1PodFailurePolicyOnExitCodesRequirement values=set
			V1PodSpec containers=name ephemeralContainers=name hostAliases=ip imagePullSecrets=name initContainers=name nodeSelector=! resourceClaims=name schedulingGates=name topologySpreadConstraints=topologyKey,whenUnsatisfiable volumes=name
			V1ReplicationControllerSpec selector=!
			V1ResourceFieldSelector !
			V1ResourcePolicyRule apiGroups=set namespaces=set resources=set verbs=set
			V1ResourceRequirements claims=name
			V1RoleRef !
			V1Scheduling nodeSelector=!
			V1ScopeSelector !
			V1SecretKeySelector !
			V1SecretReference !
			V1ServiceAccount secrets=name
			V1ServiceBackendPort !
			V1ServiceSpec ports=port,protocol selector=!
			V1TopologySelectorTerm !
			V1TypedLocalObjectReference !
			V1ValidatingAdmissionPolicyBindingSpec validationActions=set
			V1ValidatingAdmissionPolicySpec matchConditions=name variables=name
			V1ValidatingWebhook matchConditions=name
			V1ValidatingWebhookConfiguration webhooks=name
			V1Variable !
			V1alpha1MatchResources !
			V1alpha1MutatingAdmissionPolicySpec matchConditions=name
			V1alpha1NamedRuleWithOperations !
			V1alpha1ParamKind !
			V1alpha1ParamRef !
			V1alpha1ServerStorageVersion decodableVersions=set servedVersions=set
			V1beta1MatchResources !
			V1beta1MutatingAdmissionPolicySpec matchConditions=name
			V1beta1NamedRuleWithOperations !
			V1beta1ParamKind !
			V1beta1ParamRef !
			V1beta1Variable !
			""";

	/**
	 * Defaults that the API server adds inside atomic values. An apply replaces an atomic
	 * value completely, so any other additional value in it is a difference. The defaults
	 * come from the functions SetDefaults_ in pkg/apis of kubernetes/kubernetes. A
	 * question mark stands for any value.
	 */
	static final String ADDED = """
			CoreV1EndpointPort protocol=TCP
			DiscoveryV1EndpointPort name= protocol=TCP
			RbacV1Subject apiGroup=rbac.authorization.k8s.io
			V1DeviceSubRequest allocationMode=ExactCount count=1
			V1DeviceToleration operator=Equal
			V1ExactDeviceRequest allocationMode=ExactCount count=1
			V1MatchResources matchPolicy=Equivalent
			V1NamedRuleWithOperations scope=*
			V1NetworkPolicyPort protocol=TCP
			V1ObjectFieldSelector apiVersion=v1
			V1PersistentVolumeClaim apiVersion=v1 kind=PersistentVolumeClaim status=?
			V1PersistentVolumeClaimSpec volumeMode=Filesystem
			V1PodFailurePolicyOnPodConditionsPattern status=True
			V1RoleRef apiGroup=rbac.authorization.k8s.io
			V1RuleWithOperations scope=*
			V1ServiceAccountTokenProjection expirationSeconds=3600
			""";

	/**
	 * Values that the API server adds to list elements. It adds one if the list is merged
	 * by keys and an element lacks a key.
	 */
	private static final Map<String, String> KEYS_ADDED = Map.of("protocol", "TCP");

	private static final Map<String, Map<String, String>> ALL_MERGED = parse(MERGED);

	private static final Map<String, Map<String, String>> ALL_ADDED = parse(ADDED);

	private static final Map<String, Map<String, String>> ALL_ZEROES = parse(OfficialZeroes.TABLE);

	private static final Field PLAIN = new Field(Merge.REPLACED, List.of(), Zero.KEPT, null);

	private static final ClassValue<AppliedFields> KNOWN = new ClassValue<>() {

		@Override
		protected AppliedFields computeValue(Class<?> type) {
			return new AppliedFields(type);
		}

	};

	private final boolean official;

	private final boolean replaced;

	private final Field[] fields;

	private AppliedFields(Class<?> type) {
		this.official = type.getPackageName().equals(V1ObjectMeta.class.getPackageName());
		ContentClass content = ContentClass.of(type);
		this.fields = new Field[content.size()];
		Arrays.fill(this.fields, PLAIN);
		Map<String, String> merged = this.official ? ALL_MERGED.getOrDefault(type.getSimpleName(), Map.of()) : Map.of();
		Map<String, String> added = this.official ? ALL_ADDED.getOrDefault(type.getSimpleName(), Map.of()) : Map.of();
		Map<String, String> zeroes = this.official ? ALL_ZEROES.getOrDefault(type.getSimpleName(), Map.of()) : Map.of();
		this.replaced = merged.containsKey("!");
		for (int i = 0; i < this.fields.length; i++) {
			String name = content.name(i);
			String merge = merged.get(name);
			String zero = zeroes.get(name);
			String value = added.get(name);
			if (merge != null || zero != null || value != null) {
				this.fields[i] = new Field(Merge.of(merge), keys(merge), Zero.of(zero), value);
			}
		}
	}

	private static List<String> keys(@Nullable String merge) {
		return (Merge.of(merge) == Merge.BY_KEYS && merge != null) ? List.of(merge.split(",")) : List.of();
	}

	private static Map<String, Map<String, String>> parse(String table) {
		Map<String, Map<String, String>> parsed = new HashMap<>();
		table.lines()
			.map((line) -> line.split(" "))
			.forEach((columns) -> parsed.put(columns[0],
					Arrays.stream(columns)
						.skip(1)
						.map((column) -> column.split("=", 2))
						.collect(Collectors.toMap((pair) -> pair[0], (pair) -> (pair.length > 1) ? pair[1] : ""))));
		return parsed;
	}

	static AppliedFields of(Class<?> type) {
		return KNOWN.get(type);
	}

	/**
	 * Returns the value that the API server adds to an element of a list if the element
	 * lacks a key by which the list is merged.
	 * @param name the name of the key
	 * @return the value; {@code null} if there is none
	 */
	static @Nullable String keyAdded(String name) {
		return KEYS_ADDED.get(name);
	}

	/**
	 * Returns whether the class belongs to the official client.
	 * @return {@code true} if its merge rules are known
	 */
	boolean isOfficial() {
		return this.official;
	}

	/**
	 * Returns whether objects of the class are atomic, so that an apply replaces them as
	 * a whole.
	 * @return {@code true} if an apply removes the values that it does not name
	 */
	boolean isReplaced() {
		return this.replaced;
	}

	Field field(int index) {
		return this.fields[index];
	}

	/**
	 * Rules of the API server for one field.
	 *
	 * @param merge the merge rule, for a list or a map
	 * @param keys the names of the keys by which elements of a list are merged
	 * @param zero how the API server handles zero, false and the empty string
	 * @param added the value that the API server adds; {@code null} if there is none
	 */
	record Field(Merge merge, List<String> keys, Zero zero, @Nullable String added) {

		/**
		 * Returns whether the API server adds a value.
		 * @param value the value
		 * @return {@code true} if it adds exactly this value
		 */
		boolean adds(Object value) {
			return "?".equals(this.added) || String.valueOf(value).equals(this.added);
		}

	}

	/** Merge rule of a list or a map. */
	enum Merge {

		/** A list is replaced, a map is merged by its keys. */
		REPLACED,

		/** A map is replaced. */
		REPLACED_MAP,

		/** Elements of a list are merged by their keys. */
		BY_KEYS,

		/** Values of a list are merged as a set. */
		SET;

		private static Merge of(@Nullable String text) {
			if (text == null) {
				return REPLACED;
			}
			return switch (text) {
				case "!" -> REPLACED_MAP;
				case "set" -> SET;
				default -> BY_KEYS;
			};
		}

	}

	/** Handling of zero, false and the empty string by the API server. */
	enum Zero {

		/** The API server stores them, and they differ from a missing value. */
		KEPT,

		/** The API server omits them. */
		OMITTED,

		/** The API server returns them even if the value is missing. */
		SHOWN;

		private static Zero of(@Nullable String text) {
			if (text == null) {
				return KEPT;
			}
			return text.isEmpty() ? OMITTED : SHOWN;
		}

	}

}

package dev.kubeinformer.test.internal.builtin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Rejection;

/**
 * Checks new and changed objects of built-in types by the rules of kube-apiserver.
 */
public final class BuiltInRules {

	private static final String RBAC = "rbac.authorization.k8s.io";

	private static final Set<String> LABELLED = Set.of("namespaces", "services", "statefulsets.apps");

	private static final Rules NONE = new Rules((object) -> {
	}, (object) -> {
	}, (object, before) -> {
	});

	private static final Map<String, Rules> RULES = new HashMap<>();

	static {
		add("pods", PodRules::podCreate, PodRules::pod, PodRules::podUpdate);
		add("podtemplates", (template) -> PodRules.template(template.at("template")));
		add("replicationcontrollers", WorkloadRules::replicationController);
		add("deployments.apps", WorkloadRules::deployment, WorkloadRules::selectorImmutable);
		add("replicasets.apps", WorkloadRules::replicaSet, WorkloadRules::selectorImmutable);
		add("statefulsets.apps", WorkloadRules::statefulSetCreate, WorkloadRules::statefulSet,
				WorkloadRules::statefulSetUpdate);
		add("daemonsets.apps", WorkloadRules::daemonSet, WorkloadRules::selectorImmutable);
		add("jobs.batch", BatchRules::jobCreate, BatchRules::job, BatchRules::jobUpdate);
		add("cronjobs.batch", BatchRules::cronJobCreate, BatchRules::cronJob, (object, before) -> {
		});
		add("services", ServiceRules::service, ServiceRules::serviceUpdate);
		add("ingresses.networking.k8s.io", NetworkRules::ingress);
		add("networkpolicies.networking.k8s.io", NetworkRules::networkPolicy);
		add("configmaps", ConfigRules::configMap, ConfigRules::configMapUpdate);
		add("secrets", ConfigRules::secret, ConfigRules::secretUpdate);
		add("persistentvolumeclaims", StorageRules::claim, StorageRules::claimUpdate);
		add("persistentvolumes", StorageRules::volume, StorageRules::volumeUpdate);
		add("storageclasses.storage.k8s.io", StorageRules::storageClass, (object) -> {
		}, StorageRules::storageClassUpdate);
		add("roles.rbac.authorization.k8s.io", PolicyRules::role);
		add("clusterroles.rbac.authorization.k8s.io", PolicyRules::clusterRole);
		add("rolebindings.rbac.authorization.k8s.io", PolicyRules::roleBinding, PolicyRules::bindingUpdate);
		add("clusterrolebindings.rbac.authorization.k8s.io", PolicyRules::clusterRoleBinding,
				PolicyRules::bindingUpdate);
		add("poddisruptionbudgets.policy", PolicyRules::disruptionBudgetCreate, PolicyRules::disruptionBudget,
				(object, before) -> {
				});
		add("horizontalpodautoscalers.autoscaling", PolicyRules::autoscaler);
		add("priorityclasses.scheduling.k8s.io", PolicyRules::priorityClass, (object) -> {
		}, PolicyRules::priorityClassUpdate);
		add("resourcequotas", ResourceRules::quota);
		add("nodes", PolicyRules::node);
	}

	private BuiltInRules() {
	}

	private static void add(String resource, Consumer<Part> check) {
		add(resource, check, check, (object, before) -> {
		});
	}

	private static void add(String resource, Consumer<Part> check, BiConsumer<Part, JsonNode> update) {
		add(resource, check, check, update);
	}

	private static void add(String resource, Consumer<Part> create, Consumer<Part> check,
			BiConsumer<Part, JsonNode> update) {
		RULES.put(resource, new Rules(create, check, update));
	}

	/**
	 * Checks the name, labels and annotations of an object.
	 * @param type its resource
	 * @param object the object
	 * @return the rejections
	 */
	public static List<Rejection> metadata(ResourceDefinition type, ObjectNode object) {
		List<Rejection> rejections = new ArrayList<>(0);
		Part metadata = Part.root(object, rejections).at("metadata");
		Function<String, List<String>> format = (RBAC.equals(type.group())) ? Formats::pathSegment
				: (LABELLED.contains(type.resource().toString())) ? Formats::dnsLabel : Formats::dnsSubdomain;
		// kube-apiserver does not check the metadata of this kind.
		if ("poddisruptionbudgets".equals(type.plural())) {
			return rejections;
		}
		Part name = metadata.at("name");
		if (name.isEmpty()) {
			name.required("name or generateName is required");
		}
		MetadataRules.name(metadata.at("generateName"), (prefix) -> Formats.prefix(prefix, format));
		MetadataRules.name(name, format);
		MetadataRules.labels(metadata.at("labels"));
		MetadataRules.annotations(metadata.at("annotations"));
		return rejections;
	}

	/**
	 * Checks the labels and annotations of an object of any type.
	 * @param object the object
	 * @return the rejections
	 */
	public static List<Rejection> labels(ObjectNode object) {
		List<Rejection> rejections = new ArrayList<>(0);
		Part metadata = Part.root(object, rejections).at("metadata");
		MetadataRules.labels(metadata.at("labels"));
		MetadataRules.annotations(metadata.at("annotations"));
		return rejections;
	}

	/**
	 * Checks the syntax of finalizers.
	 * @param object the object
	 * @return the rejections
	 */
	public static List<Rejection> finalizers(ObjectNode object) {
		List<Rejection> rejections = new ArrayList<>(0);
		Part finalizers = Part.root(object, rejections).at("metadata.finalizers");
		finalizers.items()
			.forEach((finalizer) -> Formats.labelKey(finalizer.text())
				.forEach((why) -> finalizers.invalid(Part.shown(finalizer.node()), why)));
		return rejections;
	}

	/**
	 * Checks the content of a new object.
	 * @param type its resource
	 * @param object the object
	 * @return the rejections, in the order of kube-apiserver
	 */
	public static List<Rejection> create(ResourceDefinition type, ObjectNode object) {
		return run(object, rules(type).create);
	}

	/**
	 * Checks the content of a changed object.
	 * @param type its resource
	 * @param before the object before the change
	 * @param object the object
	 * @return the rejections, in the order of kube-apiserver
	 */
	public static List<Rejection> update(ResourceDefinition type, ObjectNode before, ObjectNode object) {
		Rules rules = rules(type);
		List<Rejection> rejections = run(object, rules.check);
		if (!rejections.isEmpty()) {
			// The object may be a fixture that was already invalid. Ignore rejections of
			// fields that the client has not changed.
			rejections.removeAll(run(before, rules.check));
		}
		List<Rejection> changes = run(object, (part) -> rules.update.accept(part, before));
		if (!changes.isEmpty()) {
			changes.removeAll(run(before, rules.check));
		}
		changes.removeAll(rejections);
		rejections.addAll(changes);
		return rejections;
	}

	private static Rules rules(ResourceDefinition type) {
		return (type.isCustom()) ? NONE : RULES.getOrDefault(type.resource().toString(), NONE);
	}

	private static List<Rejection> run(ObjectNode object, Consumer<Part> check) {
		List<Rejection> rejections = new ArrayList<>(0);
		check.accept(Part.root(object, rejections));
		return rejections;
	}

	/**
	 * Rules of a kind.
	 *
	 * @param create the check of a new object
	 * @param check the check of a changed object, which does not need the previous state
	 * @param update the check of a changed object that compares it with its previous
	 * state
	 */
	private record Rules(Consumer<Part> create, Consumer<Part> check, BiConsumer<Part, JsonNode> update) {

	}

}

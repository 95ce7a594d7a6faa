package dev.kubeinformer.spring.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.definitions.CustomResourceDefinitions;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.autoconfigure.client.ClusterLocator;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.rbac.DefinitionRights;
import dev.kubeinformer.spring.rbac.RequiredRoles;
import dev.kubeinformer.spring.rbac.UsedResources;

/**
 * Collects the objects that an application needs in its clusters, by file. The names of
 * files begin with numbers, because {@code kubectl apply -f FOLDER} creates objects in
 * the alphabetical order of files.
 */
final class ManifestDocuments {

	static final String NAMESPACE = "1-namespace.yaml";

	static final String DEFINITIONS = "2-definitions.yaml";

	static final String RBAC = "3-rbac.yaml";

	static final String DEPLOYMENT = "4-deployment.yaml";

	static final String SERVICE = "5-service.yaml";

	private final ApplicationContext context;

	private final ManifestOptions options;

	private final DeployedApplication application;

	private final String currentNamespace;

	ManifestDocuments(ApplicationContext context, ManifestOptions options) {
		this.context = context;
		this.options = options;
		this.application = DeployedApplication.of(context);
		this.currentNamespace = currentNamespace();
	}

	private String currentNamespace() {
		try {
			return this.context.getBean(ClusterLocator.class).currentNamespace();
		}
		catch (IllegalArgumentException ex) {
			return "default";
		}
	}

	DeployedApplication application() {
		return this.application;
	}

	String name() {
		return this.application.name(this.options.name);
	}

	String namespace() {
		return (this.options.namespace != null) ? this.options.namespace : this.currentNamespace;
	}

	private String serviceAccount() {
		return (this.options.serviceAccount != null) ? this.options.serviceAccount : name();
	}

	/**
	 * Returns the text of all files.
	 * @return the text without a header, by the path of the file
	 */
	SortedMap<String, String> files() {
		SortedMap<String, String> files = new TreeMap<>();
		if (this.options.cluster != null) {
			add(files, "", this.options.cluster);
			return files;
		}
		for (String cluster : RequiredRoles.of(this.context, this.context.getEnvironment()).clusters()) {
			add(files, cluster.equals(InformerClusters.DEFAULT) ? "" : cluster + "/", cluster);
		}
		return files;
	}

	private void add(SortedMap<String, String> files, String folder, String cluster) {
		List<Map<String, Object>> rbac = rbac(cluster);
		String definitions = definitions(cluster);
		boolean byDefault = cluster.equals(InformerClusters.DEFAULT);
		if (!byDefault && rbac.size() == 1 && definitions.isEmpty()) {
			return;
		}
		if (this.options.withNamespace && !namespace().equals("default")) {
			files.put(folder + NAMESPACE, ManifestYaml.write(List.of(ManifestYaml.tree(namespaceObject()))));
		}
		if (!definitions.isEmpty()) {
			files.put(folder + DEFINITIONS, definitions);
		}
		files.put(folder + RBAC, ManifestYaml.write(rbac));
		if (byDefault && this.options.withDeployment) {
			ManifestWorkload workload = new ManifestWorkload(this.application, this.options, name(), namespace(),
					serviceAccount());
			files.put(folder + DEPLOYMENT, ManifestYaml.write(List.of(ManifestYaml.tree(workload.deployment()))));
			if (this.options.withService) {
				files.put(folder + SERVICE, ManifestYaml.write(List.of(ManifestYaml.tree(workload.service()))));
			}
		}
	}

	private V1Namespace namespaceObject() {
		Map<String, String> labels = new TreeMap<>();
		// The pods of the Deployment meet this Pod Security Standard.
		labels.put("pod-security.kubernetes.io/enforce", "restricted");
		labels.put("pod-security.kubernetes.io/warn", "restricted");
		return new V1Namespace().apiVersion("v1")
			.kind("Namespace")
			.metadata(new V1ObjectMeta().name(namespace()).labels(labels));
	}

	private String definitions(String cluster) {
		UsedResources resources = UsedResources.of(this.context);
		List<Class<?>> used = resources.customClasses(cluster);
		List<String> excluded = DefinitionRights.of(resources, this.context.getEnvironment()).excluded();
		boolean byDefault = cluster.equals(InformerClusters.DEFAULT);
		List<Class<?>> classes = Stream
			.concat(used.stream(),
					this.options.definitions.stream()
						.filter((more) -> byDefault || used.stream().anyMatch(sameKind(more))))
			.filter((type) -> !this.options.foreignDefinitions.contains(type) && !UsedResources.isBuiltIn(type))
			.filter((type) -> excluded.stream().noneMatch((name) -> name.equals(definitionName(type))))
			.distinct()
			.toList();
		if (classes.isEmpty()) {
			return "";
		}
		String yaml = CustomResourceDefinitions.of(classes).toYaml();
		return yaml.startsWith("---\n") ? yaml : "---\n" + yaml;
	}

	private static @Nullable String definitionName(Class<?> type) {
		KubernetesResource resource = type.getAnnotation(KubernetesResource.class);
		// The generator throws an exception for a class without the annotation.
		return (resource != null) ? resource.plural() + "." + resource.group() : null;
	}

	private static Predicate<Class<?>> sameKind(Class<?> type) {
		return (other) -> kind(other).equals(kind(type));
	}

	private static String kind(Class<?> type) {
		KubernetesResource resource = type.getAnnotation(KubernetesResource.class);
		return (resource != null)
				? (resource.kind().isEmpty() ? type.getSimpleName() : resource.kind()) + "." + resource.group()
				: type.getName();
	}

	private List<Map<String, Object>> rbac(String cluster) {
		List<Map<String, Object>> documents = new ArrayList<>();
		documents.add(ManifestYaml.tree(new V1ServiceAccount().apiVersion("v1")
			.kind("ServiceAccount")
			.metadata(new V1ObjectMeta().name(serviceAccount()).namespace(namespace()))));
		RbacManifest roles = RbacManifest.of(this.context)
			.withCluster(cluster)
			.withServiceAccount(namespace(), serviceAccount());
		if (cluster.equals(InformerClusters.DEFAULT) || this.options.cluster != null) {
			for (RequiredRbac rule : this.options.rules) {
				roles = roles.withRule(rule);
			}
		}
		roles.documents().forEach((document) -> documents.add(moved(document)));
		return documents;
	}

	// Moves a role or binding from the context's current namespace to the namespace of
	// the manifests.
	private Map<String, Object> moved(Map<String, Object> document) {
		Map<?, ?> metadata = Objects.requireNonNull((Map<?, ?>) document.get("metadata"));
		if (!this.currentNamespace.equals(metadata.get("namespace"))) {
			return document;
		}
		Map<String, Object> changed = new LinkedHashMap<>();
		metadata.forEach((key, value) -> changed.put(String.valueOf(key), value));
		changed.put("namespace", namespace());
		Map<String, Object> moved = new LinkedHashMap<>(document);
		moved.put("metadata", changed);
		return moved;
	}

	static List<String> names() {
		return Arrays.asList(NAMESPACE, DEFINITIONS, RBAC, DEPLOYMENT, SERVICE);
	}

}

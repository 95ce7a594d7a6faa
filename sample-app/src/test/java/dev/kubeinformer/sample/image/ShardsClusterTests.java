package dev.kubeinformer.sample.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the manifests with shards on a real API server. No controller and no kubelet
 * is there: the pods are those that the StatefulSet controller would create, and their
 * environment is what the kubelet would make of the objects that the API server stored.
 */
@RequiresCluster(properties = "kubectl")
class ShardsClusterTests {

	private static final String NAME = "informer-sample";

	private static final String MANIFESTS = "src/main/k8s/overlays/shards";

	private static final String INDEX_LABEL = "apps.kubernetes.io/pod-index";

	private static final String PREFIX = "KUBERNETES_INFORMERS_SHARD_";

	private static boolean mayBeRemoved;

	@TempDir
	private static Path folder;

	private static Kubectl kubectl;

	private static V1StatefulSet statefulSet;

	@BeforeAll
	static void apply(Path kubeconfig) throws IOException {
		kubectl = new Kubectl(kubeconfig.toAbsolutePath(), folder);
		assertThat(kubectl.run("get", "namespace", NAME, "--ignore-not-found"))
			.as("a namespace that is not of these tests, and that they would remove")
			.isEmpty();
		mayBeRemoved = true;
		assertThat(kubectl.run("apply", "-k", MANIFESTS, "--validate=strict")).contains("statefulset.apps/" + NAME)
			.doesNotContain("Warning", "deployment");
		statefulSet = kubectl.get(V1StatefulSet.class, NAME, "statefulset/" + NAME);
		for (int index = 0; index < statefulSet.getSpec().getReplicas(); index++) {
			assertThat(kubectl.run("create", "--validate=strict", "-f", file(index))).contains("created")
				.doesNotContain("Warning");
		}
	}

	@AfterAll
	static void remove() throws IOException {
		if (mayBeRemoved) {
			kubectl.run("delete", "pods", "--all", "-n", NAME, "--force", "--grace-period=0");
			kubectl.run("delete", "-k", MANIFESTS, "--wait=false");
			kubectl.finalizeNamespace(NAME);
		}
	}

	/**
	 * Writes a pod as the controller creates it, of the template and its index.
	 */
	private static String file(int index) throws IOException {
		String name = NAME + "-" + index;
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(NAME).name(name);
		statefulSet.getSpec().getTemplate().getMetadata().getLabels().forEach(metadata::putLabelsItem);
		metadata.putLabelsItem(INDEX_LABEL, Integer.toString(index))
			.putLabelsItem("statefulset.kubernetes.io/pod-name", name);
		V1PodSpec spec = statefulSet.getSpec().getTemplate().getSpec();
		// The model has an empty one where there was none.
		spec.overhead(null).hostname(name).subdomain(statefulSet.getSpec().getServiceName());
		V1Pod pod = new V1Pod().apiVersion("v1").kind("Pod").metadata(metadata).spec(spec);
		return Files.writeString(folder.resolve(name + ".yaml"), Yaml.dump(pod)).toString();
	}

	@Test
	void eachPodShouldReadItsIndexFromItsLabel() {
		int total = statefulSet.getSpec().getReplicas();
		assertThat(environments()).hasSize(total)
			.extracting((environment) -> environment.get(PREFIX + "INDEX"))
			.containsExactlyElementsOf(IntStream.range(0, total).mapToObj(Integer::toString).toList());
		assertThat(environments()).allSatisfy(
				(environment) -> assertThat(environment).containsEntry(PREFIX + "TOTAL", Integer.toString(total))
					.containsEntry(PREFIX + "KEY", "uid"));
	}

	@Test
	void environmentsShouldBindToAllShards() {
		int total = statefulSet.getSpec().getReplicas();
		assertThat(environments().stream().map(ShardsClusterTests::shard)).containsExactlyElementsOf(
				IntStream.range(0, total).mapToObj((index) -> new Shard(ShardKey.UID, index, total)).toList());
	}

	private static Shard shard(Map<String, Object> environment) {
		Binder binder = new Binder(ConfigurationPropertySource
			.from(new SystemEnvironmentPropertySource("systemEnvironment", environment)));
		String prefix = "kubernetes.informers.shard.";
		return new Shard(binder.bind(prefix + "key", ShardKey.class).get(),
				binder.bind(prefix + "index", Integer.class).get(), binder.bind(prefix + "total", Integer.class).get());
	}

	/**
	 * Returns the variables of all pods, in the order of their names.
	 */
	private static List<Map<String, Object>> environments() {
		List<Map<String, Object>> environments = new ArrayList<>();
		for (int index = 0; index < statefulSet.getSpec().getReplicas(); index++) {
			V1Pod pod = kubectl.get(V1Pod.class, NAME, "pod/%s-%d".formatted(NAME, index));
			Map<String, Object> environment = new LinkedHashMap<>();
			for (V1EnvVar variable : pod.getSpec().getContainers().get(0).getEnv()) {
				environment.put(variable.getName(), (variable.getValueFrom() != null)
						? resolve(pod, variable.getValueFrom().getFieldRef().getFieldPath()) : variable.getValue());
			}
			environments.add(environment);
		}
		return environments;
	}

	/**
	 * Resolves a path as the kubelet does; it takes an absent label for an empty text.
	 */
	private static String resolve(V1Pod pod, String path) {
		assertThat(path).startsWith("metadata.labels['").endsWith("']");
		String label = path.substring(path.indexOf('\'') + 1, path.length() - 2);
		return pod.getMetadata().getLabels().getOrDefault(label, "");
	}

	@Test
	void podsShouldBeThoseOfTheServicesAndOfTheBudget() {
		Map<String, String> labels = statefulSet.getSpec().getTemplate().getMetadata().getLabels();
		V1Service headless = kubectl.get(V1Service.class, NAME, "service/" + statefulSet.getSpec().getServiceName());
		assertThat(headless.getSpec().getClusterIP()).isEqualTo("None");
		assertThat(labels).containsAllEntriesOf(headless.getSpec().getSelector())
			.containsAllEntriesOf(kubectl.get(V1Service.class, NAME, "service/" + NAME).getSpec().getSelector())
			.containsAllEntriesOf(kubectl.get(V1PodDisruptionBudget.class, NAME, "pdb/" + NAME)
				.getSpec()
				.getSelector()
				.getMatchLabels());
		assertThat(statefulSet.getSpec().getPodManagementPolicy()).isEqualTo("Parallel");
	}

}

package dev.kubeinformer.sample.image;

import java.io.IOException;
import java.nio.file.Path;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the manifests with shards follow those without.
 */
class ShardManifestTests {

	private static final Path MANIFESTS = Path.of("src/main/k8s");

	@Test
	void podsShouldBeThoseOfTheDeploymentButForTheirVariables() throws IOException {
		V1PodSpec plain = Yaml.loadAs(MANIFESTS.resolve("base/deployment.yaml").toFile(), V1Deployment.class)
			.getSpec()
			.getTemplate()
			.getSpec();
		V1StatefulSet statefulSet = Yaml.loadAs(MANIFESTS.resolve("components/shards/stateful-set.yaml").toFile(),
				V1StatefulSet.class);
		V1PodSpec sharded = statefulSet.getSpec().getTemplate().getSpec();
		assertThat(sharded.getContainers().get(0).getEnv())
			.filteredOn((variable) -> variable.getName().equals("KUBERNETES_INFORMERS_SHARD_TOTAL"))
			.extracting(V1EnvVar::getValue)
			.containsExactly(statefulSet.getSpec().getReplicas().toString());
		sharded.getContainers().get(0).setEnv(plain.getContainers().get(0).getEnv());
		assertThat(sharded).isEqualTo(plain);
	}

}

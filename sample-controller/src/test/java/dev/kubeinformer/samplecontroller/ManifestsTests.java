package dev.kubeinformer.samplecontroller;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;

/**
 * Tests that {@code src/main/k8s} is what the controller needs in a cluster.
 */
@SpringBootTest
@EmbeddedKubernetesTest
class ManifestsTests {

	@Test
	void manifestsShouldBeUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context).withoutDeployment().assertUpToDate(Path.of("src/main/k8s"));
	}

}

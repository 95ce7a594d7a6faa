package dev.kubeinformer.sample;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.RbacManifest;

/**
 * Tests that the manifests grant what the sample needs in a cluster, where it has the
 * configuration that they give it, and no more.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = "spring.config.additional-location=file:src/main/k8s/base/config/")
@EmbeddedKubernetesTest(namespace = "informer-sample")
class SampleRbacTests {

	@Test
	void rolesShouldBeThoseThatTheSampleNeeds(@Autowired ApplicationContext context) {
		RbacManifest.of(context)
			.withServiceAccount("informer-sample", "informer-sample")
			.assertUpToDate(Path.of("src/main/k8s/base/rbac.yaml"));
	}

}

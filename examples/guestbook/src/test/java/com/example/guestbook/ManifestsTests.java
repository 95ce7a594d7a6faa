package com.example.guestbook;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.spring.test.KubernetesManifests;

/**
 * Tests that {@code src/main/k8s} is what the application needs in a cluster:
 * {@code mvn test -Dtest=ManifestsTests -Dkubernetes.manifests.write=true} writes it.
 */
@SpringBootTest(properties = "spring.main.cloud-platform=kubernetes")
@EmbeddedKubernetesTest
class ManifestsTests {

	@Test
	void manifestsAreUpToDate(@Autowired ApplicationContext context) {
		KubernetesManifests.of(context)
			.withNamespace("guestbook")
			.withImage("registry.example.com/guestbook:0.0.1-SNAPSHOT")
			.assertUpToDate(Path.of("src/main/k8s"));
	}

}

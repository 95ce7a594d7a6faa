package dev.kubeinformer.sample;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that health does not reveal names of objects to clients of the probes' port,
 * which every pod of the cluster can reach.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = "spring.config.additional-location=file:src/main/k8s/base/config/")
@EmbeddedKubernetesTest(namespace = "informer-sample")
class SampleHealthTests {

	@Test
	void healthShouldShowItsStatusOnly(@Autowired HealthEndpointGroups groups) {
		assertThat(groups.getNames()).contains("readiness");
		assertThat(Stream.concat(Stream.of(groups.getPrimary()), groups.getNames().stream().map(groups::get)))
			.noneMatch((group) -> group.showDetails(SecurityContext.NONE))
			.noneMatch((group) -> group.showComponents(SecurityContext.NONE));
	}

}

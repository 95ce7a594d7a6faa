package dev.kubeinformer.spring.autoconfigure.client;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class ApiClientPreinitializerTests {

	@Test
	void bootShouldFindItAndItShouldNeedNoCluster() throws Exception {
		List<BackgroundPreinitializer> all = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(BackgroundPreinitializer.class);
		assertThat(all).hasAtLeastOneElementOfType(ApiClientPreinitializer.class);
		for (BackgroundPreinitializer each : all) {
			each.preinitialize();
		}
	}

}

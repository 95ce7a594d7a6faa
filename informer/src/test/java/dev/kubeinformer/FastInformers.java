package dev.kubeinformer;

import io.kubernetes.client.openapi.ApiClient;

/**
 * Informers whose waits after failures are scaled down, for tests in other packages.
 */
public final class FastInformers {

	private FastInformers() {
	}

	public static Informers.Builder builder(ApiClient client) {
		return Informers.builder(client).timings(EngineTestSupport.FAST);
	}

}
